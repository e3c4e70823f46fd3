// Written by scrim from scrim.config.ts. Changes are lost.
declare module "scrim" {
  export interface Resource {
    Api: { type: "scrim.aws.ApiGatewayV2"; url: string; };
    Attachments: { type: "scrim.aws.Bucket"; name: string; };
    Notes: { type: "scrim.aws.Dynamo"; name: string; };
  }
}
import "scrim";
export {};
