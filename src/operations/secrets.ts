import type { SecretsLog } from "../home/secrets.ts";
import { fail } from "../model/diagnostic.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { warnOfExposedKeys } from "./warn-of-exposed-keys.ts";

/** Whose secrets a command is about: one stage's, or the fallback of all stages of the app. */
export interface SecretScope {
  readonly target: Target;
  readonly fallback: boolean;
}

export interface SecretsChanged {
  readonly location: Location;
  readonly fallback: boolean;
  readonly serial: number;
  /** Names that were set or removed. */
  readonly names: readonly string[];
}

export interface SecretListed {
  readonly name: string;
  /** Where the value that a deploy would use comes from. */
  readonly source: "stage" | "fallback";
  /** ISO 8601. */
  readonly updatedAt: string;
}

/** Names are those of components, or of variables for values that are only loaded. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
const VALUE_BYTES_MAX = 64 * 1024;

/**
 * Sets values, all in one commit.
 *
 * @throws DiagnosticError `SECRET_NAME_INVALID`, `SECRET_TOO_LARGE` (exit 2) before anything is written
 */
export async function setSecrets(
  scope: SecretScope,
  values: ReadonlyMap<string, string>,
  context: OperationContext,
): Promise<SecretsChanged> {
  for (const [name, value] of values) checkSecret(name, value);
  const { location, log } = await openScope(scope, context);
  const serial = await log.commit(values);
  return { location, fallback: scope.fallback, serial, names: [...values.keys()] };
}

/** @throws DiagnosticError `SECRET_NOT_FOUND` (exit 2) when there is no such name */
export async function removeSecret(
  scope: SecretScope,
  name: string,
  context: OperationContext,
): Promise<SecretsChanged> {
  const { location, log } = await openScope(scope, context);
  const { entries } = await log.list();
  if (!entries.some((entry) => entry.name === name)) {
    const where = scope.fallback ? "the fallback" : `stage ${location.stage}`;
    throw fail("SECRET_NOT_FOUND", `Secret ${JSON.stringify(name)} is not set in ${where}`, {
      hint: "Run scrim secret list to see what is set. Names are case-sensitive.",
    });
  }
  const serial = await log.commit(new Map([[name, null]]));
  return { location, fallback: scope.fallback, serial, names: [name] };
}

/** Names and where their values come from; never a value. */
export async function listSecrets(
  scope: SecretScope,
  context: OperationContext,
): Promise<{ readonly location: Location; readonly secrets: readonly SecretListed[] }> {
  const location = await locateScope(scope, context);
  const home = await openHome(location, context);
  const fallback = await home.secrets(location.app, null).list();
  const own = scope.fallback ? null : await home.secrets(location.app, location.stage).list();
  const byName = new Map<string, SecretListed>();
  for (const { name, updatedAt } of fallback.entries) {
    byName.set(name, { name, updatedAt, source: "fallback" });
  }
  for (const { name, updatedAt } of own?.entries ?? []) {
    byName.set(name, { name, updatedAt, source: "stage" });
  }
  const secrets = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { location, secrets };
}

/** Makes a new key for the app and encrypts every secret with it. Returns the new key's id. */
export async function rotateSecretsKey(
  target: Target,
  context: OperationContext,
): Promise<{ readonly location: Location; readonly keyId: string }> {
  const location = await locateScope({ target, fallback: true }, context);
  const home = await openHome(location, context);
  return { location, keyId: await home.rotateKey(location.app) };
}

/** All keys of the app as text, to be kept somewhere safe. @throws DiagnosticError `KEY_NONE` (exit 2) */
export async function exportKeys(target: Target, context: OperationContext): Promise<string> {
  const location = await locateScope({ target, fallback: true }, context);
  const { app } = location;
  const text = await (await openHome(location, context)).keys.export(app);
  if (text !== "") return text;
  throw fail("KEY_NONE", `The app ${app} has no key yet`, {
    hint: "A key is made when the first secret is set or the first stage is deployed.",
  });
}

/** Adds exported keys; returns the ids of those that were new. @throws DiagnosticError `KEY_INVALID` (exit 2) */
export async function importKeys(
  target: Target,
  text: string,
  context: OperationContext,
): Promise<readonly string[]> {
  const location = await locateScope({ target, fallback: true }, context);
  const home = await openHome(location, context);
  return home.keys.import(location.app, text);
}

function locateScope(
  { target, fallback }: SecretScope,
  context: OperationContext,
): Promise<Location> {
  return locate(target, { stateIsEnough: true, anyStage: fallback }, context);
}

async function openScope(
  scope: SecretScope,
  context: OperationContext,
): Promise<{
  readonly location: Location;
  readonly log: SecretsLog;
}> {
  const location = await locateScope(scope, context);
  warnOfExposedKeys(location.app, context);
  const stage = scope.fallback ? null : location.stage;
  const home = await openHome(location, context);
  return { location, log: home.secrets(location.app, stage) };
}

function checkSecret(name: string, value: string): void {
  if (!NAME.test(name)) {
    throw fail("SECRET_NAME_INVALID", `${JSON.stringify(name)} is not a name for a secret`, {
      why: "A name holds letters, digits and underscores, at most 128, and does not start with a digit.",
      hint: 'Use the name of the component, as in new scrim.Secret("ApiToken").',
    });
  }
  const bytes = Buffer.byteLength(value);
  if (bytes > VALUE_BYTES_MAX) {
    throw fail("SECRET_TOO_LARGE", `The value of ${name} has ${bytes} bytes`, {
      why: `A secret has at most ${VALUE_BYTES_MAX} bytes (64 KiB).`,
      hint: "Keep large content in a bucket and only its key here.",
    });
  }
}
