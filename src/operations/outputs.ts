import { didYouMean } from "../components/options/suggest.ts";
import { EXIT, fail } from "../model/diagnostic.ts";
import type { Json, JsonObject } from "../model/json.ts";
import type { OperationContext, Target } from "./context.ts";
import { type Location, locate } from "./locate.ts";
import { openHome } from "./open-home.ts";
import { notFound } from "./remove.ts";
import { shownOutputs } from "./resolve-outputs.ts";

export interface StageOutputs {
  readonly location: Location;
  /** As the last deploy recorded them, sensitive values masked. */
  readonly outputs: JsonObject;
}

/**
 * The outputs that the last deploy of a stage recorded.
 *
 * @throws DiagnosticError `STAGE_NOT_FOUND`, `STAGE_REMOVED` (exit 1), of the home (6)
 */
export async function stageOutputs(
  target: Target,
  context: OperationContext,
): Promise<StageOutputs> {
  const { location, stored } = await recorded(target, context);
  return { location, outputs: shownOutputs(stored) };
}

/**
 * One output in clear.
 *
 * @throws DiagnosticError `OUTPUT_UNKNOWN` (exit 2), `OUTPUT_SENSITIVE` (1) for one that holds a secret, of which
 * only a keyed hash is recorded
 */
export async function stageOutput(
  target: Target,
  name: string,
  context: OperationContext,
): Promise<{ readonly location: Location; readonly value: Json }> {
  const { location, stored } = await recorded(target, context);
  const value = Object.hasOwn(stored, name) ? stored[name] : undefined;
  if (value === undefined) throw unknownOutput(location, name, Object.keys(stored));
  if (!holdsSeal(value)) return { location, value };
  throw fail("OUTPUT_SENSITIVE", `The output ${name} holds a secret`, {
    why: "State keeps only a keyed hash of it, from which it cannot be told.",
    hint: "Read the secret where it comes from, or link it to what needs it.",
    exit: EXIT.failed,
  });
}

async function recorded(
  target: Target,
  context: OperationContext,
): Promise<{ readonly location: Location; readonly stored: JsonObject }> {
  const location = await locate(target, { stateIsEnough: true }, context);
  const log = (await openHome(location, context)).stage(location.app, location.stage);
  const { snapshot } = await log.read();
  const { facts, resources } = snapshot;
  if (facts === null) throw notFound(location.app, location.stage);
  const leftAlone = resources.every(({ status }) => status === "retained");
  const [last] = leftAlone ? await log.history(1) : [];
  // The facts outlive a removal; what they name does so only where everything was kept.
  if (last?.command === "remove" && facts.removal !== "retain-all") throw removed(location);
  return { location, stored: facts.outputs };
}

function removed({ app, stage }: Location): Error {
  return fail("STAGE_REMOVED", `Stage ${stage} of ${app} was removed`, {
    why: "What its last deploy gave is not there any more.",
    hint: `Run scrim deploy --stage ${stage} to make it again.`,
    exit: EXIT.failed,
  });
}

function unknownOutput({ stage }: Location, name: string, known: readonly string[]): Error {
  return fail("OUTPUT_UNKNOWN", `Stage ${stage} has no output ${JSON.stringify(name)}`, {
    hint:
      known.length === 0
        ? "Return it from run() in the config and deploy, for example return { url: api.url }."
        : didYouMean(name, known, "outputs"),
  });
}

function holdsSeal(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.hasOwn(value, "$sealed") || Object.values(value).some(holdsSeal);
}
