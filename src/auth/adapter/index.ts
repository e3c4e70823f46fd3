// scrim/auth/adapter: users from the tokens of an issuer.

import type { AuthAdapter as Adapter } from "./auth-adapter.ts";
import { cognito } from "./cognito.ts";
import { oidc } from "./oidc.ts";

export type { VerifiedUser } from "./auth-adapter.ts";
export type { CognitoOptions } from "./cognito.ts";
export type { OidcOptions } from "./oidc.ts";
export { type AdapterSamples, testAdapter } from "./test-adapter.ts";

/** An adapter of one's own has this type. */
export type AuthAdapter = Adapter;

/**
 * The built-in adapters.
 *
 * @example
 * import { auth } from "scrim/auth";
 * import { AuthAdapter } from "scrim/auth/adapter";
 *
 * const adapter = AuthAdapter.cognito({ userPoolId: process.env.USER_POOL_ID ?? "" });
 *
 * export const handler = auth.authorizer(async (event) => ({ user: await adapter.verify(event) }));
 */
export const AuthAdapter = Object.freeze({ cognito, oidc });
