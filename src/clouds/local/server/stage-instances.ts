import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createStageLog, type StageLog } from "../runner/logs/stage-log.ts";
import { serviceNamed, serviceNameFor, serviceNames } from "../services/index.ts";
import type { ServiceInstance } from "../services/service.ts";
import type { DataPlaneOptions } from "./data-plane.ts";

type StageInstancesOptions = Pick<
  DataPlaneOptions,
  "resolveAccessKey" | "folderOf" | "logsFolderOf" | "region" | "account" | "log" | "now"
> & {
  /** Where the data plane listens; asked for once it does. */
  endpoint(): string;
};

/** The open instances of every stage; each is opened once, however many ask at the same time. */
export class StageInstances {
  readonly #options: StageInstancesOptions;
  readonly #open = new Map<string, Map<string, Promise<ServiceInstance>>>();
  readonly #logs = new Map<string, StageLog>();

  constructor(options: StageInstancesOptions) {
    this.#options = options;
  }

  async forType(stageKey: string, type: string): Promise<ServiceInstance> {
    const service = serviceNameFor(type);
    const instance = service === null ? null : await this.forService(stageKey, service);
    if (instance === null) throw new Error(`no service keeps resources of type ${type}`);
    return instance;
  }

  async forService(stageKey: string, service: string): Promise<ServiceInstance | null> {
    if (!serviceNames().includes(service)) return null;
    const stage = this.#open.get(stageKey) ?? new Map<string, Promise<ServiceInstance>>();
    this.#open.set(stageKey, stage);
    const known = stage.get(service);
    if (known !== undefined) return await known;
    const opening = this.#openInstance(stageKey, service);
    stage.set(service, opening);
    // A failed opening is tried again by the next request.
    opening.catch(() => stage.delete(service));
    return await opening;
  }

  async findOpen(
    service: string,
    type: string,
    isMeant: (name: string) => boolean,
  ): Promise<ServiceInstance | null> {
    for (const stage of this.#open.values()) {
      const instance = await stage.get(service)?.catch(() => null);
      if (instance && (await instance.names(type)).some(isMeant)) return instance;
    }
    return null;
  }

  async remove(stageKey: string): Promise<void> {
    await this.#closeStage(stageKey);
    for (const service of serviceNames())
      await rm(join(this.#options.folderOf(stageKey), service), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((stageKey) => this.#closeStage(stageKey)));
  }

  async #closeStage(stageKey: string): Promise<void> {
    const stage = this.#open.get(stageKey);
    this.#open.delete(stageKey);
    for (const opening of stage?.values() ?? []) {
      // One that could not be opened has nothing to close.
      const instance = await opening.catch(() => null);
      await instance?.close();
    }
    this.#logs.get(stageKey)?.close();
    this.#logs.delete(stageKey);
  }

  async #openInstance(stageKey: string, name: string): Promise<ServiceInstance> {
    const service = await serviceNamed(name);
    if (service === null) throw new Error(`there is no service ${name}`);
    const { region, account, folderOf, resolveAccessKey, log, now, endpoint } = this.#options;
    return await service.open({
      folder: join(folderOf(stageKey), name),
      region,
      account,
      endpoint,
      tell: (component, message) => this.#tell(stageKey, component, message),
      ...(now === undefined ? {} : { now }),
      ...(log === undefined ? {} : { log: (message) => log(`${stageKey}: ${name}: ${message}`) }),
      secretOf: (accessKeyId) => {
        const owner = resolveAccessKey(accessKeyId);
        return owner?.stageKey === stageKey ? owner.secret : null;
      },
    });
  }

  #tell(stageKey: string, component: string, message: string): void {
    const folder = this.#options.logsFolderOf?.(stageKey);
    if (folder === undefined) return;
    const log = this.#logs.get(stageKey) ?? createStageLog(folder);
    this.#logs.set(stageKey, log);
    const entry = { function: component, requestId: "", level: "info", message } as const;
    log.write(this.#options.now?.() ?? Date.now(), entry);
    // Whoever asked for it looks for it as soon as the answer comes.
    log.flush();
  }
}
