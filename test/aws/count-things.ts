import {
  GetApisCommand,
  GetIntegrationsCommand,
  GetRoutesCommand,
  GetStagesCommand,
} from "@aws-sdk/client-apigatewayv2";
import { DescribeLogGroupsCommand } from "@aws-sdk/client-cloudwatch-logs";
import {
  DescribeUserPoolCommand,
  ListUserPoolClientsCommand,
  ListUserPoolsCommand,
} from "@aws-sdk/client-cognito-identity-provider";
import { ListTablesCommand } from "@aws-sdk/client-dynamodb";
import { ListRolesCommand } from "@aws-sdk/client-iam";
import {
  GetFunctionUrlConfigCommand,
  GetPolicyCommand,
  ListFunctionsCommand,
} from "@aws-sdk/client-lambda";
import { ListBucketsCommand } from "@aws-sdk/client-s3";
import type { AwsClients } from "../../src/clouds/aws/client/aws-clients.ts";

/**
 * How many things of a type there are, told by the service itself.
 *
 * @param idOf id of the thing of a type that parts of it are counted in
 */
export async function countThings(
  clients: AwsClients,
  type: string,
  idOf: (type: string) => string,
): Promise<number> {
  const apis = await clients.apigatewayv2();
  const lambda = await clients.lambda();
  const inApi = { ApiId: idOf("aws:api") };
  const cognito = await clients.cognito();
  const inPool = { UserPoolId: idOf("aws:user-pool") };
  const inFunction = { FunctionName: idOf("aws:function") };
  switch (type) {
    case "aws:log-group": {
      const { logGroups = [] } = await (await clients.logs()).send(
        new DescribeLogGroupsCommand({}),
      );
      return logGroups.filter(({ logGroupName }) => logGroupName?.startsWith("/scrim/")).length;
    }
    case "aws:role":
      return (await (await clients.iam()).send(new ListRolesCommand({}))).Roles?.length ?? 0;
    case "aws:function":
      return (await lambda.send(new ListFunctionsCommand({}))).Functions?.length ?? 0;
    case "aws:permission": {
      const answer = await lambda.send(new GetPolicyCommand(inFunction)).catch(() => null);
      const { Statement } = JSON.parse(answer?.Policy ?? '{"Statement":[]}');
      return Statement.length;
    }
    case "aws:function-url":
      return lambda.send(new GetFunctionUrlConfigCommand(inFunction)).then(
        () => 1,
        () => 0,
      );
    case "aws:api":
      return (await apis.send(new GetApisCommand({}))).Items?.length ?? 0;
    case "aws:integration":
      return (await apis.send(new GetIntegrationsCommand(inApi))).Items?.length ?? 0;
    case "aws:route":
      return (await apis.send(new GetRoutesCommand(inApi))).Items?.length ?? 0;
    case "aws:api-stage":
      return (await apis.send(new GetStagesCommand(inApi))).Items?.length ?? 0;
    case "aws:bucket":
      return (await (await clients.s3()).send(new ListBucketsCommand({}))).Buckets?.length ?? 0;
    case "aws:table":
      return (
        (await (await clients.dynamodb()).send(new ListTablesCommand({}))).TableNames?.length ?? 0
      );
    case "aws:user-pool": {
      const { UserPools } = await cognito.send(new ListUserPoolsCommand({ MaxResults: 60 }));
      return UserPools?.length ?? 0;
    }
    case "aws:user-pool-domain": {
      const { UserPool } = await cognito.send(new DescribeUserPoolCommand(inPool));
      return UserPool?.Domain === undefined ? 0 : 1;
    }
    case "aws:user-pool-client": {
      const { UserPoolClients } = await cognito.send(new ListUserPoolClientsCommand(inPool));
      return UserPoolClients?.length ?? 0;
    }
    default:
      throw new Error(`nothing counts ${type}`);
  }
}
