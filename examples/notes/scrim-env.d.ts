// Written by scrim from scrim.config.ts. Changes are lost.
declare module "scrim" {
  export interface Resource {
    Api: { type: "scrim.aws.ApiGatewayV2"; url: string; };
    Attachments: { type: "scrim.aws.Bucket"; name: string; };
    Notes: { type: "scrim.aws.Dynamo"; name: string; };
    Terminal: { type: "scrim.aws.CognitoUserPoolClient"; id: string; };
    Users: { type: "scrim.aws.CognitoUserPool"; clientIds: string[]; domain: string; id: string; region: string; };
    Web: { type: "scrim.aws.CognitoUserPoolClient"; id: string; secret: string; };
  }
}
import "scrim";
export {};
