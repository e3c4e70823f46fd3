import type { Cognito } from "../cognito.ts";
import { notAuthorized } from "../cognito-error.ts";
import type { PoolClient } from "../pools/pool-client.ts";
import type { Challenge } from "./challenges.ts";

/** A challenge of one kind. */
export type ChallengeOf<Kind extends Challenge["kind"]> = Extract<
  Challenge,
  { readonly kind: Kind }
>;

/**
 * The challenge that a client answers, which can be answered once.
 *
 * @throws CognitoError `NotAuthorizedException` when it has expired or is another client's
 */
export function takeChallenge<Kind extends Challenge["kind"]>(
  cognito: Cognito,
  client: PoolClient,
  token: string,
  kind: Kind,
): ChallengeOf<Kind> {
  const challenge = cognito.challenges.take(token, cognito.now());
  if (challenge === null || challenge.client !== client.id || !isOfKind(challenge, kind))
    throw notAuthorized("Invalid session for the user.");
  return challenge;
}

function isOfKind<Kind extends Challenge["kind"]>(
  challenge: Challenge,
  kind: Kind,
): challenge is ChallengeOf<Kind> {
  return challenge.kind === kind;
}
