import {
  GetApisCommand,
  GetIntegrationsCommand,
  GetRoutesCommand,
  GetStagesCommand,
} from "@aws-sdk/client-apigatewayv2";
import { DescribeLogGroupsCommand } from "@aws-sdk/client-cloudwatch-logs";
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
      // moto keeps a repeat beside the first, under the same id; AWS refuses it.
      return new Set(Statement.map(({ Sid }: { readonly Sid: string }) => Sid)).size;
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
    default:
      throw new Error(`nothing counts ${type}`);
  }
}
