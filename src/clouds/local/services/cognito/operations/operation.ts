import type { JsonObject } from "../../../../../model/json.ts";
import type { Cognito } from "../cognito.ts";
import type { OperationInput } from "./operation-input.ts";

/**
 * One operation of the API. `public` ones are open to everybody who knows a client's id, or bring
 * an access token; `signed` ones need a signature with the stage's key.
 */
export interface Operation {
  readonly access: "public" | "signed";
  /** What it changes is durable when it resolves. @throws CognitoError */
  run(cognito: Cognito, input: OperationInput): Promise<JsonObject>;
}
