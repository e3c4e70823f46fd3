import type { Service } from "../service.ts";
import { makeServiceFolder } from "../service-folder.ts";
import { CLIENT_TYPE, CognitoInstance, POOL_TYPE } from "./cognito-instance.ts";

/**
 * Cognito: user pools with their clients and users. docs/reference/local-cognito.md lists what it
 * can and cannot do.
 */
export const cognitoService: Service = {
  name: "cognito-idp",
  types: [POOL_TYPE, CLIENT_TYPE],
  async open(options) {
    await makeServiceFolder(options.folder);
    return new CognitoInstance(options);
  },
};
