import { expect, it } from "vitest";
import { classify, type ErrorKind } from "./classify.ts";
import { type Caller, explainAws } from "./explain.ts";

interface Facts {
  readonly code?: string;
  readonly status?: number;
}

function errorOf(name: string, message = "", { code, status }: Facts = {}): Error {
  const metadata = status === undefined ? {} : { httpStatusCode: status };
  return Object.assign(new Error(message), { name, code, $metadata: metadata });
}

it.each<[string, Error, ErrorKind]>([
  [
    "a throttled call",
    errorOf("ThrottlingException", "Rate exceeded", { status: 400 }),
    "throttled",
  ],
  ["a full service", errorOf("UnknownError", "", { status: 429 }), "throttled"],
  ["an expired token", errorOf("ExpiredToken", "expired", { status: 400 }), "credentials"],
  ["no credentials", errorOf("CredentialsProviderError", "none"), "credentials"],
  ["a wrong secret", errorOf("SignatureDoesNotMatch", "does not match"), "credentials"],
  ["an old signature", errorOf("SignatureDoesNotMatch", "Signature expired: 2026"), "clock"],
  ["a clock far off", errorOf("RequestTimeTooSkewed"), "clock"],
  ["a missing permission", errorOf("AccessDenied", "", { status: 403 }), "denied"],
  ["an error of the service", errorOf("InternalError", "", { status: 500 }), "lost"],
  ["a broken connection", errorOf("Error", "", { code: "ECONNRESET" }), "lost"],
  ["a call that took too long", errorOf("TimeoutError"), "lost"],
  ["a host that is not found", errorOf("Error", "", { code: "ENOTFOUND" }), "unreachable"],
  ["a closed port", errorOf("Error", "", { code: "ECONNREFUSED" }), "unreachable"],
  ["an answer", errorOf("ValidationException", "", { status: 400 }), "answered"],
])("knows %s", (_, error, kind) => {
  expect(classify(error)).toBe(kind);
});

const CALLER: Caller = { profile: "work", region: "eu-central-1", endpoint: null };

it("tells whose credentials have expired, and how to get new ones", () => {
  const problem = explainAws(errorOf("ExpiredToken", "The token is expired."), "read", CALLER);
  expect(problem?.diagnostics[0]).toMatchObject({
    code: "AWS_CREDENTIALS_EXPIRED",
    message: 'The credentials of profile "work" (region eu-central-1) have expired',
    hint: expect.stringContaining("aws sso login --profile work"),
    exit: 4,
  });
});

it("tells what may not be done", () => {
  const denied = errorOf("AccessDenied", "not authorized to perform: s3:GetObject");
  const problem = explainAws(denied, "read the home", { ...CALLER, profile: null });
  expect(problem?.diagnostics[0]).toMatchObject({
    code: "AWS_ACCESS_DENIED",
    message: "The environment (region eu-central-1) may not read the home",
    why: "not authorized to perform: s3:GetObject.",
    exit: 4,
  });
});

it("leaves answers about what was asked for to who asked", () => {
  expect(explainAws(errorOf("NoSuchKey", "", { status: 404 }), "read", CALLER)).toBeNull();
});
