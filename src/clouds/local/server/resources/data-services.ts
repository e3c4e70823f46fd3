import type { ServiceInstance } from "../../services/service.ts";

/**
 * What the control side needs of the data plane: the stages' buckets and tables, and the port they
 * answer on.
 */
export interface DataServices {
  readonly port: number;
  instance(stageKey: string, type: string): Promise<ServiceInstance>;
  /** Closes everything of a stage, so that its folder can be deleted. */
  removeStage(stageKey: string): Promise<void>;
  close(): Promise<void>;
}
