import { parseStageKey } from "../../folders.ts";
import { Refusal } from "./refusal.ts";

/** A request of the control API, by what it asks for. */
export type ControlRoute =
  | { readonly kind: "status" }
  | { readonly kind: "stop" }
  | { readonly kind: "stage"; readonly stageKey: string }
  | { readonly kind: "wake"; readonly stageKey: string }
  | { readonly kind: "resources"; readonly stageKey: string }
  | {
      readonly kind: "resource";
      readonly stageKey: string;
      readonly type: string;
      readonly name: string;
    }
  | { readonly kind: "code"; readonly stageKey: string; readonly hash: string };

/** What a physical name is made of; it becomes part of file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const TYPE = /^local:[a-z-]{1,30}$/;
const HASH = /^[0-9a-f]{64}$/;

/**
 * Finds the route of a path.
 *
 * @throws Refusal 404 for a path that is none, 400 for a part that cannot be a name
 */
export function parseControlPath(path: string): ControlRoute {
  const parts = splitPath(path);
  if (parts[0] !== "v1") throw notFound(path);
  const [, first, key, what, a, b] = parts;
  if (parts.length === 2 && first === "status") return { kind: "status" };
  if (parts.length === 2 && first === "stop") return { kind: "stop" };
  if (first !== "stages" || key === undefined || parts.length > 6) throw notFound(path);
  const stageKey = checked("stage", key, (text) => parseStageKey(text) !== null);
  if (parts.length === 3) return { kind: "stage", stageKey };
  if (parts.length === 4 && what === "wake") return { kind: "wake", stageKey };
  if (parts.length === 4 && what === "resources") return { kind: "resources", stageKey };
  if (parts.length === 5 && what === "code" && a !== undefined) {
    return { kind: "code", stageKey, hash: checked("hash", a, (text) => HASH.test(text)) };
  }
  if (what !== "resources" || a === undefined || b === undefined) throw notFound(path);
  const type = checked("type", a, (text) => TYPE.test(text));
  const name = checked("name", b, (text) => NAME.test(text));
  return { kind: "resource", stageKey, type, name };
}

function splitPath(path: string): readonly string[] {
  try {
    return path.replace(/^\//, "").split("/").map(decodeURIComponent);
  } catch {
    throw notFound(path);
  }
}

function checked(what: string, text: string, isValid: (text: string) => boolean): string {
  if (isValid(text)) return text;
  const shown = JSON.stringify(text.slice(0, 80));
  throw new Refusal(400, "LOCAL_NAME_INVALID", `${shown} cannot be a ${what}`);
}

function notFound(path: string): Refusal {
  const shown = JSON.stringify(path.slice(0, 200));
  return new Refusal(404, "LOCAL_PATH_UNKNOWN", `The control API has no ${shown}`);
}
