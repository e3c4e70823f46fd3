import { resolve } from "node:path";
import { readEnvFile } from "../config/env-files.ts";
import { type ParsedEnv, parseEnv } from "../config/parse-env.ts";
import { fail } from "../model/diagnostic.ts";
import type { OperationContext } from "./context.ts";
import { type SecretScope, type SecretsChanged, setSecrets } from "./secrets.ts";

/** Where the values come from: a file, relative to the working folder, or text that was read already. */
export type SecretsSource = { readonly file: string } | { readonly text: string };

/**
 * Sets every value of a text in the format of `.env` files, in one commit.
 *
 * @throws DiagnosticError `SECRETS_FILE_NOT_FOUND`, `SECRETS_FILE_EMPTY`, `ENV_FILE_*`, `SECRET_*` (exit 2) before
 * anything is written
 */
export async function loadSecrets(
  scope: SecretScope,
  source: SecretsSource,
  context: OperationContext,
): Promise<SecretsChanged> {
  const { entries, warnings } = read(source, context.cwd);
  for (const diagnostic of warnings) context.emit({ kind: "diagnostic", diagnostic });
  if (entries.size === 0) {
    throw fail("SECRETS_FILE_EMPTY", `There is no KEY=value line in ${nameOf(source)}`, {
      hint: "Write one line for each secret, such as ApiToken=value.",
    });
  }
  const values = new Map([...entries].map(([name, { value }]) => [name, value]));
  return setSecrets(scope, values, context);
}

function read(source: SecretsSource, cwd: string): ParsedEnv {
  if ("text" in source) return parseEnv(source.text, nameOf(source));
  const parsed = readEnvFile(resolve(cwd, source.file));
  if (parsed !== null) return parsed;
  throw fail("SECRETS_FILE_NOT_FOUND", `There is no file ${source.file}`, {
    hint: "Check the path; it starts at the folder you are in.",
  });
}

function nameOf(source: SecretsSource): string {
  return "file" in source ? source.file : "standard input";
}
