import { canonicalJson, type Json } from "../../../../model/json.ts";
import { type RecordKey, type ResourceRecord, recordKey } from "../registry/record.ts";
import type { CodeStore } from "./code-store.ts";
import { type Composed, composeRuntime } from "./compose-runtime.ts";
import { isData } from "./decide-put.ts";
import { type LinkFiles, openLinkFiles } from "./link-files.ts";
import type { StageDependencies } from "./stage-dependencies.ts";

/** Makes one stage's runner serve what is recorded. Calls must not overlap. */
export interface StageServing {
  /**
   * Resolves when new requests see the records. Does nothing when they are what was applied last.
   *
   * @param again applies them even so, for example to try again to open a port
   */
  serve(records: readonly ResourceRecord[], again: boolean): Promise<void>;
  /** Why a resource does not answer, or null. */
  problemOf(record: ResourceRecord): string | null;
  /** Why the port of an API cannot be listened on, or null. */
  portProblemOf(record: ResourceRecord): string | null;
}

export function createStageServing(deps: StageDependencies, code: CodeStore): StageServing {
  const { host, stageKey } = deps;
  let links: LinkFiles | null = null;
  let applied: "nothing" | "unknown" | { readonly text: string } = "nothing";
  let revision = 0;
  let functionProblems: ReadonlyMap<RecordKey, string> = new Map();

  async function serve(records: readonly ResourceRecord[], again: boolean): Promise<void> {
    const ready = records.filter(({ status, type }) => status === "ready" && !isData(type));
    if (ready.length === 0) return stopServing();
    links ??= await openLinkFiles(deps.folders.links, deps.sealLinks);
    const { runtime, problems } = await compose(ready, links);
    functionProblems = problems;
    const text = canonicalJson(runtime as unknown as Json);
    if (typeof applied === "object" && applied.text === text && !again) return;
    // A failure leaves neither the old nor the new for certain.
    applied = "unknown";
    revision += 1;
    await host.apply({ ...runtime, revision });
    applied = { text };
  }

  async function stopServing(): Promise<void> {
    functionProblems = new Map();
    if (applied === "nothing") return;
    await host.remove(stageKey);
    applied = "nothing";
  }

  async function compose(ready: readonly ResourceRecord[], into: LinkFiles): Promise<Composed> {
    const sealing = ready.some(({ sealed }) => sealed !== null) ? await deps.sealing() : null;
    const { app, stage, folders, credentials } = deps;
    const dataPort = (await deps.services()).port;
    return composeRuntime(ready, {
      ...{ app, stage, stageKey, folders, code, links: into, credentials, dataPort },
      unseal: (record) => {
        if (record.sealed === null || sealing === null) return record.spec;
        const { type, name } = record;
        return { ...record.spec, ...sealing.unseal({ stageKey, type, name }, record.sealed) };
      },
    });
  }

  function portProblemOf(record: ResourceRecord): string | null {
    const status = host.status().find((found) => found.stageKey === stageKey);
    const api = status?.apis.find(({ id }) => id === record.outputs["id"]);
    if (api?.state !== "unavailable" || api.port !== record.port) return null;
    return `port ${record.port} cannot be used: ${api.reason ?? "another program has taken it"}`;
  }

  return {
    serve,
    portProblemOf,
    problemOf: (record) =>
      record.status === "ready"
        ? (functionProblems.get(recordKey(record)) ?? portProblemOf(record))
        : `it is still ${record.status}`,
  };
}
