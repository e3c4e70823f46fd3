import { issuerUrl } from "../http/fetch-text.ts";

/** Where a user pool is. */
export interface CognitoPool {
  /** Both forms that Cognito puts into `iss`. */
  readonly issuers: readonly string[];
  readonly jwksUrl: URL;
  /** Of the API that GetUser belongs to. */
  readonly apiUrl: URL;
}

/** `<region>_<letters and digits>`; anything else could lead an address elsewhere. */
const POOL_ID = /^([a-z]{2}(?:-[a-z]+)+-\d)_[A-Za-z0-9]+$/;

/**
 * Addresses of a user pool, from its id alone. An endpoint, for emulators and private networks, moves the addresses;
 * who the issuer is stays as it is.
 *
 * @throws TypeError
 */
export function cognitoPool(userPoolId: unknown, endpoint: string | undefined): CognitoPool {
  const region = typeof userPoolId === "string" ? POOL_ID.exec(userPoolId)?.[1] : undefined;
  if (typeof userPoolId !== "string" || userPoolId.length > 55 || region === undefined) {
    throw new TypeError('userPoolId must be the id of a user pool, such as "eu-west-1_AbCdEf123"');
  }
  const apiUrl =
    endpoint === undefined
      ? new URL(`https://cognito-idp.${region}.amazonaws.com/`)
      : issuerUrl("The endpoint of Cognito", endpoint);
  const base = apiUrl.href.replace(/\/$/, "");
  return {
    issuers: [
      `https://cognito-idp.${region}.amazonaws.com/${userPoolId}`,
      `https://issuer-cognito-idp.${region}.amazonaws.com/${userPoolId}`,
    ],
    jwksUrl: new URL(`${base}/${userPoolId}/.well-known/jwks.json`),
    apiUrl,
  };
}
