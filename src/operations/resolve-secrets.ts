import type { ComponentNode } from "../components/node.ts";
import { secretsOf } from "../components/secrets.ts";
import type { Home } from "../home/home.ts";
import { type Diagnostic, DiagnosticError, EXIT } from "../model/diagnostic.ts";

export interface ResolvedSecrets {
  readonly values: ReadonlyMap<string, string>;
  /** Which state of the secrets logs was used; recorded with the deploy. */
  readonly serials: { readonly stage: number; readonly fallback: number };
}

/**
 * The value of every secret that the app declares: the stage's own, else the fallback, else its placeholder.
 *
 * @throws DiagnosticError `SECRET_MISSING` (exit 2), one problem for each name without a value
 */
export async function resolveSecrets(
  home: Home,
  app: string,
  stage: string,
  nodes: readonly ComponentNode[],
): Promise<ResolvedSecrets> {
  const declared = secretsOf(nodes);
  const [own, fallback] = await Promise.all([
    read(home, app, stage, declared.length > 0),
    read(home, app, null, declared.length > 0),
  ]);
  const values = new Map<string, string>();
  const missing: Diagnostic[] = [];
  for (const node of declared) {
    const value = own.values.get(node.name) ?? fallback.values.get(node.name) ?? node.placeholder;
    if (value === null) missing.push(missingSecret(node.name, stage, node.source));
    else values.set(node.name, value);
  }
  const [first, ...more] = missing;
  if (first !== undefined) throw new DiagnosticError(first, ...more);
  return { values, serials: { stage: own.serial, fallback: fallback.serial } };
}

/** An app without secrets needs no key, and its logs are looked at only for their serial. */
async function read(
  home: Home,
  app: string,
  stage: string | null,
  values: boolean,
): Promise<{ readonly serial: number; readonly values: ReadonlyMap<string, string> }> {
  const log = home.secrets(app, stage);
  if (values) return log.read();
  const { serial } = await log.list();
  return { serial, values: new Map() };
}

function missingSecret(name: string, stage: string, source: ComponentNode["source"]): Diagnostic {
  return {
    severity: "error",
    code: "SECRET_MISSING",
    message: `Secret ${name} has no value for stage ${stage}`,
    why: "Neither the stage nor the fallback has one, and it has no placeholder.",
    hint: `Run scrim secret set ${name} --stage ${stage}, or scrim secret set ${name} --fallback.`,
    exit: EXIT.usage,
    ...(source === null ? {} : { source }),
  };
}
