import { AuthError } from "../auth-error.ts";
import type { RequestEvent } from "../http/request-event.ts";
import type { AuthAdapter } from "./auth-adapter.ts";

/** Requests to try an adapter with. */
export interface AdapterSamples {
  /** A request that the adapter must accept. */
  readonly accepted: RequestEvent;
  /** Who it is from. */
  readonly user: { readonly id: string; readonly email: string };
  /** Tokens that it must refuse: expired, forged, for someone else. */
  readonly refusedTokens: readonly string[];
}

/** Requests without a usable credential. */
const WITHOUT_CREDENTIAL: readonly (readonly [string, RequestEvent])[] = [
  ["an empty event", {}],
  ["headers that are null", { headers: null }],
  ["no headers", { headers: {} }],
  ["an empty Authorization header", { headers: { authorization: "" } }],
  ["the scheme alone", { headers: { authorization: "Bearer " } }],
  ["another scheme", { headers: { authorization: "Basic dXNlcjpwYXNz" } }],
  ["a token that is none", { headers: { authorization: "Bearer not-a-token" } }],
  ["a long token", { headers: { authorization: `Bearer ${"a".repeat(100_000)}` } }],
];

/**
 * Tries an adapter as `auth.authorizer` would use it, and tells what is wrong with it.
 *
 * @returns a sentence for each problem; none when the adapter is fine
 * @example
 * import { type AuthAdapter, testAdapter } from "scrim/auth/adapter";
 * import { bearer, InvalidToken } from "scrim/auth";
 *
 * const adapter: AuthAdapter = {
 *   async verify(event) {
 *     if (bearer(event) !== "secret") throw new InvalidToken("TOKEN_MALFORMED", "Not the token");
 *     return { id: "u1", email: "ada@example.com" };
 *   },
 * };
 *
 * const problems = await testAdapter(adapter, {
 *   accepted: { headers: { authorization: "Bearer secret" } },
 *   user: { id: "u1", email: "ada@example.com" },
 *   refusedTokens: ["other"],
 * });
 * if (problems.length > 0) throw new Error(problems.join("\n"));
 */
export async function testAdapter(
  adapter: AuthAdapter,
  samples: AdapterSamples,
): Promise<readonly string[]> {
  const refused: readonly (readonly [string, RequestEvent])[] = [
    ...WITHOUT_CREDENTIAL,
    ...samples.refusedTokens.map((token, index) => {
      const event: RequestEvent = { headers: { authorization: `Bearer ${token}` } };
      return [`refusedTokens[${index}]`, event] as const;
    }),
    ...twiceIn(samples.accepted),
  ];
  const problems = await acceptedProblems(adapter, samples);
  for (const [what, event] of refused)
    problems.push(...(await refusedProblems(adapter, what, event)));
  return problems;
}

async function acceptedProblems(adapter: AuthAdapter, samples: AdapterSamples): Promise<string[]> {
  const { id, email } = samples.user;
  try {
    const user = await adapter.verify(samples.accepted);
    const isExact = user.id === id && user.email === email && Object.keys(user).length === 2;
    return isExact ? [] : ["verify() does not return exactly the user's id and email"];
  } catch (error) {
    return [`verify() throws for the request that it must accept: ${nameOf(error)}`];
  }
}

async function refusedProblems(
  adapter: AuthAdapter,
  what: string,
  event: RequestEvent,
): Promise<string[]> {
  try {
    await adapter.verify(event);
    return [`verify() accepts ${what}`];
  } catch (error) {
    if (!(error instanceof AuthError)) {
      return [`verify() throws ${nameOf(error)} instead of an AuthError for ${what}`];
    }
    const token = event.headers?.["authorization"]?.slice("Bearer ".length) ?? "";
    const tells = token.length > 8 && error.message.includes(token);
    return tells ? [`verify() throws an error that holds the token for ${what}`] : [];
  }
}

/** The accepted request with its token twice: nobody may choose one. */
function twiceIn(accepted: RequestEvent): readonly (readonly [string, RequestEvent])[] {
  const authorization = accepted.headers?.["authorization"];
  if (authorization === undefined) return [];
  const twice = `${authorization},${authorization}`;
  return [["two credentials", { headers: { authorization: twice } }]];
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
