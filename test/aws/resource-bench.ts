import { randomBytes } from "node:crypto";
import { zipFiles } from "../../src/bundle/zip.ts";
import { createClients } from "../../src/clouds/aws/client/create-clients.ts";
import { awsHandlers } from "../../src/clouds/aws/resources/aws-handlers.ts";
import { CallWatch } from "../../src/engine/apply/call-watch.ts";
import { type Driven, drive } from "../../src/engine/apply/drive.ts";
import { LIMITS } from "../../src/engine/apply/limits.ts";
import { makeResource } from "../../src/engine/apply/make-resource.ts";
import { type Observed, observe } from "../../src/engine/apply/observe.ts";
import type { Work } from "../../src/engine/apply/work.ts";
import type { Dependency, Handlers, Inputs } from "../../src/engine/handler.ts";
import { ownershipTags, tokenFor } from "../../src/engine/ownership.ts";
import { physicalName } from "../../src/engine/physical-name.ts";
import type { JsonObject } from "../../src/model/json.ts";
import { type Urn, urnOf } from "../../src/model/urn.ts";
import { systemClock } from "../../src/system/clock.ts";
import { countThings } from "./count-things.ts";

export const REGION = "eu-central-1";
const ACCOUNT = { moto: "123456789012", ministack: "000000000000" } as const;

/** A thing that the bench has made. */
export interface Made {
  readonly urn: Urn;
  readonly id: string;
  readonly outputs: JsonObject;
}

/** Makes, looks at, changes and deletes single resources as the engine does, without a stage around them. */
export class ResourceBench {
  readonly stage = { app: "shop", stage: "Dev_1", lineage: randomBytes(16).toString("hex") };
  readonly clients: ReturnType<typeof createClients>;
  readonly #handlers: Handlers;
  readonly #dependencies = new Map<Urn, readonly Dependency[]>();

  constructor(emulator: keyof typeof ACCOUNT, endpoint: string) {
    const credentials = async () => ({ accessKeyId: "test", secretAccessKey: "test" });
    this.clients = createClients(
      {
        ...{ id: ACCOUNT[emulator], partition: "aws", region: REGION },
        ...{ credentials, endpoint, profile: null },
      },
      systemClock,
    );
    this.#handlers = awsHandlers(this.clients, async (hash) => bundleOf(hash));
  }

  async create(type: string, name: string, inputs: Inputs, uses: readonly Made[] = []) {
    const urn = urnOf(type, name);
    this.#dependencies.set(urn, uses);
    const { id, outputs } = ready(await makeResource(this.work(urn), inputs));
    return { urn, id, outputs };
  }

  async update({ urn, id }: Made, inputs: Inputs): Promise<Driven> {
    const work = this.work(urn);
    return drive(work, {
      ...{ id, until: "there" },
      invoke: (context) => work.handler.update(context, id, inputs),
    });
  }

  async delete({ urn, id }: Made): Promise<Driven> {
    const work = this.work(urn);
    return drive(work, {
      ...{ id, until: "gone" },
      invoke: (context) => work.handler.delete(context, id),
    });
  }

  /** @param id null to look for it as after a crash */
  look(urn: Urn, id: string | null): Promise<Observed> {
    return observe(this.work(urn), { id, until: "there", windowMs: 0 });
  }

  /** How many things of a type the account has; in an API or a function for what is a part of one. */
  count(type: string, made: ReadonlyMap<string, Made>): Promise<number> {
    const part = (of: string) => String(made.get(of)?.id ?? "");
    return countThings(this.clients, type, part);
  }

  predicted({ urn }: Made, inputs: Inputs): JsonObject | undefined {
    const { handler, about } = this.work(urn);
    return handler.predict?.(about.physicalName, inputs);
  }

  work(urn: Urn): Work {
    const handler = this.#handlers.get(urn.slice(0, urn.indexOf("::")));
    if (handler === undefined) throw new Error(`no handler for ${urn}`);
    const name = urn.slice(urn.indexOf("::") + 2);
    const signal = new AbortController().signal;
    const identity = { urn, generation: 1 };
    const limits = { ...LIMITS, readyTimeMaxMs: 20_000, backoffMaxMs: 500 };
    return {
      world: {
        ...{ clock: systemClock, random: { bytes: (length) => randomBytes(length) }, limits },
        watch: new CallWatch(systemClock, 30_000, signal),
        ...{ cut: signal, stop: signal },
      },
      handler,
      component: name,
      about: {
        ...{ urn, token: tokenFor(this.stage, identity) },
        physicalName: physicalName({
          ...{ ...this.stage, ...identity, name, naming: handler.naming },
        }),
        tags: ownershipTags(this.stage, identity),
        epoch: 1,
        dependencies: this.#dependencies.get(urn) ?? [],
      },
      onWait: () => undefined,
    };
  }
}

/** @throws Error with the diagnostic when it did not get ready */
export function ready(driven: Driven): Driven & { readonly kind: "ready" } {
  if (driven.kind === "ready") return driven;
  throw new Error(JSON.stringify(driven));
}

function bundleOf(text: string): Uint8Array {
  const code = `export const handler = async () => ${JSON.stringify(text)};`;
  return zipFiles(new Map([["index.mjs", { content: Buffer.from(code), executable: false }]]));
}
