/** The resource types of the AWS cloud. */
export const AWS_TYPES = {
  logGroup: "aws:log-group",
  role: "aws:role",
  function: "aws:function",
  permission: "aws:permission",
  functionUrl: "aws:function-url",
  api: "aws:api",
  apiStage: "aws:api-stage",
  integration: "aws:integration",
  route: "aws:route",
  bucket: "aws:bucket",
  table: "aws:table",
  userPool: "aws:user-pool",
  userPoolDomain: "aws:user-pool-domain",
  userPoolClient: "aws:user-pool-client",
} as const;
