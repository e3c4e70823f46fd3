import { describe, expect, it } from "vitest";
import { AuthError, JwksUnavailable } from "../auth-error.ts";
import { claims, newKey, token } from "../issuer.fixture.ts";
import { createPolicy } from "../verify/policy.ts";
import { verify } from "../verify/verify.ts";
import { KeySet } from "./key-set.ts";

const MINUTE_MS = 60_000;
const policy = createPolicy("test", {}, { issuers: null, audiences: null, check: null });

/** A key set whose document and clock are set by hand. */
function issuer(keys: readonly { readonly jwk: unknown }[]) {
  const state = {
    keys,
    fetches: 0,
    nowMs: 1_000_000,
    isDown: false,
    fetch: async () => {
      state.fetches += 1;
      await new Promise((resolve) => setImmediate(resolve));
      if (state.isDown) throw new JwksUnavailable("down");
      return JSON.stringify({ keys: state.keys.map((key) => key.jwk) });
    },
  };
  const keySet = new KeySet({ fetch: () => state.fetch(), nowMs: () => state.nowMs });
  return { state, keySet };
}

async function codeOf(run: Promise<unknown>): Promise<string> {
  try {
    await run;
    return "accepted";
  } catch (error) {
    return error instanceof AuthError ? error.code : String(error);
  }
}

describe("a key set", () => {
  const first = newKey("ES256", "first");
  const second = newKey("ES256", "second");
  const third = newKey("EdDSA", "third");

  it("is fetched once by 1,000 who need it at the same time", async () => {
    const { state, keySet } = issuer([first]);
    const sent = Array.from({ length: 1000 }, (_, n) => token(first, claims({ n })));
    await Promise.all(sent.map((one) => verify(one, keySet, policy)));
    expect(state.fetches).toBe(1);
  });

  it("is fetched at most once in 30 seconds by a flood of unknown key ids", async () => {
    const { state, keySet } = issuer([first]);
    const flood = () =>
      Promise.all(
        Array.from({ length: 1000 }, (_, n) =>
          codeOf(keySet.find(`${state.nowMs} ${n} ${Math.random()}`)),
        ),
      );
    expect(new Set(await flood())).toEqual(new Set(["KEY_UNKNOWN"]));
    expect(state.fetches).toBe(1);
    for (let round = 0; round < 29; round += 1) {
      state.nowMs += 1000;
      await flood();
    }
    expect(state.fetches).toBe(1);
    state.nowMs += 1000;
    await flood();
    expect(state.fetches).toBe(2);
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
    expect(state.fetches).toBe(2);
  });

  it("verifies with a new key after one more fetch", async () => {
    const { state, keySet } = issuer([first]);
    await verify(token(first), keySet, policy);
    state.keys = [first, second];
    await Promise.all([token(second), token(second)].map((one) => verify(one, keySet, policy)));
    expect(state.fetches).toBe(2);
    await verify(token(first), keySet, policy);
    expect(state.fetches).toBe(2);
  });

  it("stops using a key that is gone within ten minutes, also for tokens seen before", async () => {
    const { state, keySet } = issuer([first]);
    const sent = token(first);
    await verify(sent, keySet, policy);
    state.keys = [second];
    state.nowMs += 10 * MINUTE_MS - 1;
    expect(await codeOf(verify(sent, keySet, policy))).toBe("accepted");
    state.nowMs += 1;
    expect(await codeOf(verify(sent, keySet, policy))).toBe("KEY_UNKNOWN");
    expect(keySet.seen(sent)).toBeUndefined();
  });

  it("forgets tokens when a key id gets another key", async () => {
    const { state, keySet } = issuer([first]);
    const sent = token(first);
    await verify(sent, keySet, policy);
    state.keys = [newKey("ES256", "first")];
    state.nowMs += 10 * MINUTE_MS;
    expect(await codeOf(verify(sent, keySet, policy))).toBe("SIGNATURE_INVALID");
  });

  it("remembers tokens as long as the keys stay the same", async () => {
    const { state, keySet } = issuer([first]);
    const sent = token(first);
    const before = await verify(sent, keySet, policy);
    state.nowMs += 10 * MINUTE_MS;
    await verify(token(first, claims({ n: 1 })), keySet, policy);
    expect(state.fetches).toBe(2);
    expect(await verify(sent, keySet, policy)).toBe(before);
  });

  it("goes on for an hour while it cannot be fetched, and not longer", async () => {
    const { state, keySet } = issuer([first]);
    await verify(token(first), keySet, policy);
    state.isDown = true;
    state.nowMs += 30 * MINUTE_MS;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
    expect(state.fetches).toBe(2);
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
    expect(state.fetches).toBe(2);
    state.nowMs += 30 * MINUTE_MS - 1;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
    state.nowMs += 1;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("JWKS_UNAVAILABLE");
    state.isDown = false;
    state.nowMs += 30_000;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
  });

  it("asks an issuer that is down ever less often, at least every 30 seconds", async () => {
    const { state, keySet } = issuer([first]);
    state.isDown = true;
    const fetchedAt: number[] = [];
    for (let second = 0; second < 180; second += 1) {
      const before = state.fetches;
      expect(await codeOf(keySet.find("first"))).toBe("JWKS_UNAVAILABLE");
      if (state.fetches > before) fetchedAt.push(second);
      state.nowMs += 1000;
    }
    expect(fetchedAt).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121, 151]);
    state.isDown = false;
    state.nowMs += 30_000;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
  });

  it("says that a key may be new when it cannot find out", async () => {
    const { state, keySet } = issuer([first]);
    await verify(token(first), keySet, policy);
    state.isDown = true;
    state.keys = [first, second];
    expect(await codeOf(verify(token(second), keySet, policy))).toBe("JWKS_UNAVAILABLE");
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
    state.isDown = false;
    state.nowMs += 1000;
    expect(await codeOf(verify(token(second), keySet, policy))).toBe("accepted");
  });

  it("is fetched again when the clock goes back", async () => {
    const { state, keySet } = issuer([first]);
    await verify(token(first), keySet, policy);
    state.nowMs -= 24 * 60 * MINUTE_MS;
    await verify(token(first), keySet, policy);
    expect(state.fetches).toBe(2);
  });

  it("uses its good keys when others are bad", async () => {
    const bad = [{ jwk: null }, { jwk: { kty: "RSA", kid: "bad" } }, { jwk: "x" }, { jwk: [] }];
    const { keySet } = issuer([...bad, first]);
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
  });

  it("refuses key ids that it has twice, and takes the others", async () => {
    const { keySet } = issuer([first, { jwk: { ...second.jwk, kid: "first" } }, third]);
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("KEY_UNKNOWN");
    expect(await codeOf(verify(token(third), keySet, policy))).toBe("accepted");
  });

  it("finds the key of a token that names none only where there is one", async () => {
    const sent = token(first, claims(), { kid: undefined });
    expect(await codeOf(verify(sent, issuer([first]).keySet, policy))).toBe("accepted");
    expect(await codeOf(verify(sent, issuer([first, second]).keySet, policy))).toBe("KEY_UNKNOWN");
    const other = newKey("ES256", "other");
    expect(await codeOf(verify(sent, issuer([other]).keySet, policy))).toBe("SIGNATURE_INVALID");
  });

  it("accepts nothing when its issuer publishes no keys, and recovers", async () => {
    const { state, keySet } = issuer([]);
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("KEY_UNKNOWN");
    state.keys = [first];
    state.nowMs += 30_000;
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("accepted");
  });

  it("refuses a document with more than 256 keys", async () => {
    const { keySet } = issuer(Array.from({ length: 257 }, () => first));
    expect(await codeOf(verify(token(first), keySet, policy))).toBe("JWKS_UNAVAILABLE");
  });

  it("remembers a bounded number of tokens, the last ones used", async () => {
    const { keySet } = issuer([third]);
    const sent = Array.from({ length: 1200 }, (_, n) => token(third, claims({ n })));
    for (const one of sent) {
      await verify(one, keySet, policy);
      keySet.seen(sent[0] ?? "");
    }
    expect(sent.filter((one) => keySet.seen(one) !== undefined).length).toBeLessThanOrEqual(1000);
    expect(keySet.seen(sent[0] ?? "")).toBeDefined();
    expect(keySet.seen(sent[1199] ?? "")).toBeDefined();
    expect(keySet.seen(sent[1] ?? "")).toBeUndefined();
  });

  it("checks the claims of a token seen before each time, by who asks", async () => {
    const { keySet } = issuer([first]);
    const sent = token(first);
    await verify(sent, keySet, policy);
    const stricter = { ...policy, audiences: ["other"] };
    expect(await codeOf(verify(sent, keySet, stricter))).toBe("CLAIM_INVALID");
    const others = { ...policy, algorithms: ["RS256" as const] };
    expect(await codeOf(verify(sent, keySet, others))).toBe("HEADER_REFUSED");
    const typed = { ...policy, types: ["jwt"] };
    expect(await codeOf(verify(sent, keySet, typed))).toBe("HEADER_REFUSED");
  });

  it("hands out claims that nobody can change for the next one", async () => {
    const { keySet } = issuer([first]);
    const sent = token(first, claims({ groups: [{ name: "a" }] }));
    const got = await verify(sent, keySet, policy);
    expect(() => Object.assign(got, { sub: "eve" })).toThrow(TypeError);
    const groups = got["groups"] as { name: string }[];
    expect(() => groups.push({ name: "b" })).toThrow(TypeError);
    expect(() => Object.assign(groups[0] ?? {}, { name: "b" })).toThrow(TypeError);
  });
});
