import type { Pace } from "./pacer.ts";

/** The services that have a client, named as `AwsClients` names them. */
export type ServiceName =
  | "apigatewayv2"
  | "cognito"
  | "dynamodb"
  | "events"
  | "iam"
  | "lambda"
  | "logs"
  | "s3"
  | "sqs"
  | "ssm";

interface ServicePace extends Pace {
  /** Calls that have an allowance of their own. */
  readonly commands?: Readonly<Record<string, Pace>>;
}

/**
 * How fast each service may be called, for an account and region. Lambda: "Lambda quotas", 15 control plane requests a
 * second, GetFunction 100. API Gateway: "Amazon API Gateway endpoints and quotas", 10 a second with bursts of 40, fixed.
 * SSM: PutParameter 3. The others publish no such number or a higher one; theirs keep a deploy from being throttled in
 * accounts where other things are deployed, too. What is throttled all the same is repeated ever more slowly.
 */
export const PACES: Readonly<Record<ServiceName, ServicePace>> = {
  apigatewayv2: { perSecond: 10, burst: 40 },
  cognito: { perSecond: 10, burst: 15 },
  dynamodb: { perSecond: 10, burst: 20 },
  events: { perSecond: 20, burst: 20 },
  iam: { perSecond: 15, burst: 30 },
  lambda: {
    perSecond: 15,
    burst: 15,
    commands: {
      GetFunctionCommand: { perSecond: 100, burst: 100 },
      GetFunctionConfigurationCommand: { perSecond: 100, burst: 100 },
    },
  },
  logs: { perSecond: 10, burst: 10 },
  s3: { perSecond: 100, burst: 100 },
  sqs: { perSecond: 50, burst: 50 },
  ssm: { perSecond: 20, burst: 20, commands: { PutParameterCommand: { perSecond: 3, burst: 3 } } },
};

/**
 * Creations of things that the service names itself and whose repetition makes a second one. They are sent once: when
 * the answer is lost, what was made is looked for by its tags first.
 */
export const SENT_ONCE: ReadonlySet<string> = new Set([
  "CreateApiCommand",
  "CreateAuthorizerCommand",
  "CreateEventSourceMappingCommand",
  "CreateIntegrationCommand",
  "CreateRouteCommand",
  "CreateUserPoolClientCommand",
  "CreateUserPoolCommand",
]);
