import type { Clock } from "../../../model/world.ts";
import type { AwsAccount } from "../account/account.ts";
import type { AwsClients } from "./aws-clients.ts";
import { clientSettings } from "./client-settings.ts";
import { BEFORE_EACH_TRY, createTurns } from "./turns.ts";

/** Calls that are throttled are repeated within the SDK for about twenty seconds, then by whoever called. */
const ATTEMPTS_MAX = 6;

/** The clients of an account. Close them when the command ends. */
export function createClients(
  account: AwsAccount,
  clock: Clock,
): AwsClients & { close(): Promise<void> } {
  const settings = {
    ...clientSettings(account),
    maxAttempts: ATTEMPTS_MAX,
    retryMode: "adaptive" as const,
  };
  const turns = createTurns(clock);
  const opened: Promise<{ destroy(): void }>[] = [];
  const lazily = <T extends { destroy(): void }>(open: () => Promise<T>): (() => Promise<T>) => {
    let client: Promise<T> | null = null;
    return () => {
      if (client === null) {
        client = open();
        opened.push(client);
      }
      return client;
    };
  };
  return {
    region: account.region,
    account: account.id,
    partition: account.partition,
    apigatewayv2: lazily(async () => {
      const { ApiGatewayV2Client } = await import("@aws-sdk/client-apigatewayv2");
      const client = new ApiGatewayV2Client(settings);
      client.middlewareStack.addRelativeTo(turns("apigatewayv2"), BEFORE_EACH_TRY);
      return client;
    }),
    cognito: lazily(async () => {
      const { CognitoIdentityProviderClient } = await import(
        "@aws-sdk/client-cognito-identity-provider"
      );
      const client = new CognitoIdentityProviderClient(settings);
      client.middlewareStack.addRelativeTo(turns("cognito"), BEFORE_EACH_TRY);
      return client;
    }),
    dynamodb: lazily(async () => {
      const { DynamoDBClient } = await import("@aws-sdk/client-dynamodb");
      const client = new DynamoDBClient(settings);
      client.middlewareStack.addRelativeTo(turns("dynamodb"), BEFORE_EACH_TRY);
      return client;
    }),
    events: lazily(async () => {
      const { EventBridgeClient } = await import("@aws-sdk/client-eventbridge");
      const client = new EventBridgeClient(settings);
      client.middlewareStack.addRelativeTo(turns("events"), BEFORE_EACH_TRY);
      return client;
    }),
    iam: lazily(async () => {
      const { IAMClient } = await import("@aws-sdk/client-iam");
      const client = new IAMClient(settings);
      client.middlewareStack.addRelativeTo(turns("iam"), BEFORE_EACH_TRY);
      return client;
    }),
    lambda: lazily(async () => {
      const { LambdaClient } = await import("@aws-sdk/client-lambda");
      const client = new LambdaClient(settings);
      client.middlewareStack.addRelativeTo(turns("lambda"), BEFORE_EACH_TRY);
      return client;
    }),
    logs: lazily(async () => {
      const { CloudWatchLogsClient } = await import("@aws-sdk/client-cloudwatch-logs");
      const client = new CloudWatchLogsClient(settings);
      client.middlewareStack.addRelativeTo(turns("logs"), BEFORE_EACH_TRY);
      return client;
    }),
    s3: lazily(async () => {
      const { S3Client } = await import("@aws-sdk/client-s3");
      const client = new S3Client(settings);
      client.middlewareStack.addRelativeTo(turns("s3"), BEFORE_EACH_TRY);
      return client;
    }),
    sqs: lazily(async () => {
      const { SQSClient } = await import("@aws-sdk/client-sqs");
      const client = new SQSClient(settings);
      client.middlewareStack.addRelativeTo(turns("sqs"), BEFORE_EACH_TRY);
      return client;
    }),
    ssm: lazily(async () => {
      const { SSMClient } = await import("@aws-sdk/client-ssm");
      const client = new SSMClient(settings);
      client.middlewareStack.addRelativeTo(turns("ssm"), BEFORE_EACH_TRY);
      return client;
    }),
    close: async () => {
      for (const client of await Promise.allSettled(opened)) {
        if (client.status === "fulfilled") client.value.destroy();
      }
    },
  };
}
