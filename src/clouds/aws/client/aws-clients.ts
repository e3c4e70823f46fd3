import type { ApiGatewayV2Client } from "@aws-sdk/client-apigatewayv2";
import type { CloudWatchLogsClient } from "@aws-sdk/client-cloudwatch-logs";
import type { CognitoIdentityProviderClient } from "@aws-sdk/client-cognito-identity-provider";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import type { IAMClient } from "@aws-sdk/client-iam";
import type { LambdaClient } from "@aws-sdk/client-lambda";
import type { S3Client } from "@aws-sdk/client-s3";
import type { SQSClient } from "@aws-sdk/client-sqs";
import type { SSMClient } from "@aws-sdk/client-ssm";

/**
 * The clients of one account and region. Each service's package is imported when its client is first asked for; after
 * that the same client is given. Calls are paced, and repeated where a repeat is harmless; a creation that would make
 * a second thing is sent once and then rejects with `LostAnswer`.
 */
export interface AwsClients {
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  /** `aws`, `aws-cn` or `aws-us-gov`; the second part of every ARN. */
  readonly partition: string;
  lambda(): Promise<LambdaClient>;
  iam(): Promise<IAMClient>;
  s3(): Promise<S3Client>;
  dynamodb(): Promise<DynamoDBClient>;
  apigatewayv2(): Promise<ApiGatewayV2Client>;
  logs(): Promise<CloudWatchLogsClient>;
  sqs(): Promise<SQSClient>;
  events(): Promise<EventBridgeClient>;
  cognito(): Promise<CognitoIdentityProviderClient>;
  ssm(): Promise<SSMClient>;
}
