import { describe, expect, it } from "vitest";
import { finalRefusal } from "./final-refusal.ts";
import { passingRefusal } from "./passing-refusal.ts";

/** An error as the SDK makes it of a response. */
function answered(name: string, message: string, httpStatusCode = 400): Error {
  const error = new Error(message);
  return Object.assign(error, { name, $metadata: { httpStatusCode } });
}

describe("a refusal of AWS", () => {
  it.each([
    [
      "InvalidParameterValueException",
      "The role defined for the function cannot be assumed by Lambda.",
    ],
    [
      "ResourceConflictException",
      "The operation cannot be performed at this time. An update is in progress for resource: x",
    ],
    [
      "ResourceInUseException",
      "Attempt to change a resource which is still in use: Table is being created: x",
    ],
    [
      "ConflictException",
      "Unable to complete operation due to concurrent modification. Please try again later.",
    ],
    [
      "OperationAborted",
      "A conflicting conditional operation is currently in progress against this resource.",
    ],
    ["TooManyRequestsException", "Rate exceeded"],
    ["ThrottlingException", "Rate exceeded"],
  ])("%s (%s) is waited out", (name, message) => {
    const retry = passingRefusal(answered(name, message));
    expect(retry).toMatchObject({ kind: "retry" });
    expect(retry?.lastsMs).toBeGreaterThan(retry?.afterMs ?? 0);
  });

  it.each([
    ["ValidationException", "One or more parameter values were invalid"],
    ["InvalidParameterValueException", "Unsupported runtime"],
    ["ResourceConflictException", "Function already exist: x"],
    ["AccessDeniedException", "User is not authorized to perform: lambda:CreateFunction"],
  ])("%s (%s) is told at once", (name, message) => {
    const error = answered(name, message);
    expect(passingRefusal(error)).toBeNull();
    expect(finalRefusal("aws:function::Worker", error)?.message).toContain("aws:function::Worker");
  });

  it("for want of permission names the action and its exit code", () => {
    const error = answered("AccessDenied", "not authorized to perform: iam:CreateRole", 403);
    const refusal = finalRefusal("aws:role::Worker", error);
    expect(refusal?.diagnostics[0]).toMatchObject({
      ...{ code: "AWS_ACCESS_DENIED", exit: 4, why: "not authorized to perform: iam:CreateRole." },
    });
  });

  it("leaves open what may have worked all the same", () => {
    for (const error of [
      answered("InternalFailure", "try again", 500),
      Object.assign(new Error("socket hang up"), { code: "ECONNRESET" }),
      new TypeError("a bug of ours"),
    ]) {
      expect(passingRefusal(error)).toBeNull();
      expect(finalRefusal("aws:role::Worker", error)).toBeNull();
    }
  });
});
