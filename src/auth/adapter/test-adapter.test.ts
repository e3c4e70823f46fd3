import { describe, expect, it } from "vitest";
import { bearer, InvalidToken } from "../index.ts";
import { type AuthAdapter, testAdapter } from "./index.ts";

const samples = {
  accepted: { headers: { authorization: "Bearer right-token" } },
  user: { id: "ada", email: "ada@example.com" },
  refusedTokens: ["expired-token"],
};

function adapter(verify: AuthAdapter["verify"]): AuthAdapter {
  return { verify };
}

describe("testAdapter", () => {
  it("finds nothing wrong with a right adapter", async () => {
    const right = adapter(async (event) => {
      if (bearer(event) !== "right-token") throw new InvalidToken("TOKEN_MALFORMED", "Not it");
      return samples.user;
    });
    expect(await testAdapter(right, samples)).toEqual([]);
  });

  it("names what an adapter accepts that it must not", async () => {
    const trusting = adapter(async () => samples.user);
    const problems = await testAdapter(trusting, samples);
    expect(problems).toContain("verify() accepts an empty event");
    expect(problems).toContain("verify() accepts refusedTokens[0]");
    expect(problems).toContain("verify() accepts two credentials");
  });

  it("names errors that are not auth errors, and those that tell the token", async () => {
    const careless = adapter(async (event) => {
      const value = event.headers?.["authorization"] ?? "";
      if (value === "Bearer right-token") return samples.user;
      if (value === "") throw new TypeError("no header");
      throw new InvalidToken("TOKEN_MALFORMED", `${value} is wrong`);
    });
    const problems = await testAdapter(careless, samples);
    expect(problems).toContain(
      "verify() throws TypeError instead of an AuthError for an empty event",
    );
    expect(problems).toContain(
      "verify() throws an error that holds the token for refusedTokens[0]",
    );
  });

  it("names a user that is not exactly id and email", async () => {
    const generous = adapter(async () => ({ ...samples.user, admin: true }));
    expect(await testAdapter(generous, samples)).toContain(
      "verify() does not return exactly the user's id and email",
    );
    const broken = adapter(() => Promise.reject(new RangeError("no")));
    expect((await testAdapter(broken, samples))[0]).toBe(
      "verify() throws for the request that it must accept: RangeError",
    );
  });
});
