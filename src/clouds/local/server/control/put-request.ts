import type { JsonObject } from "../../../../model/json.ts";
import { stageKey as stageKeyOf } from "../../../../model/stage-key.ts";
import type { PutResource } from "../../control-api.ts";
import { Refusal } from "./refusal.ts";

/** Checks the body of a PUT. @throws Refusal 400 */
export function parsePutRequest(body: unknown, stageKey: string): PutResource {
  if (!isObject(body)) throw invalid("it is not an object");
  const { app, stage, spec, tags, token } = body;
  if (typeof app !== "string" || typeof stage !== "string")
    throw invalid("app or stage is missing");
  if (stageKeyOf(app, stage) !== stageKey) throw invalid("app and stage are not those of the path");
  if (!isObject(spec)) throw invalid("spec is not an object");
  if (!isObject(tags)) throw invalid("tags is not an object");
  if (typeof token !== "string") throw invalid("token is missing");
  return { app, stage, spec: spec as JsonObject, tags: checkTags(tags), token };
}

function checkTags(tags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  for (const value of Object.values(tags)) {
    if (typeof value !== "string") throw invalid("a tag is not text");
  }
  return tags as Readonly<Record<string, string>>;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalid(why: string): Refusal {
  return new Refusal(400, "LOCAL_BODY_INVALID", `The resource cannot be read: ${why}`);
}
