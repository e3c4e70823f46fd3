import { type Members, object, optional, type Parse } from "../components/options/parse.ts";

interface Repository {
  readonly id: number;
  readonly owner: string;
  readonly repo: string;
}

interface AutodeployEventBase {
  readonly repo: Repository;
  readonly commit: { readonly id: string; readonly message: string };
  readonly sender: { readonly id: number; readonly username: string };
  readonly provider: "github" | "gitlab" | "gitea" | "forgejo";
  readonly action: "pushed" | "removed";
  /** Absent when it is not known completely. */
  readonly changedFiles?: readonly string[];
}

export interface BranchEvent extends AutodeployEventBase {
  readonly type: "branch";
  readonly branch: string;
}

export interface TagEvent extends AutodeployEventBase {
  readonly type: "tag";
  readonly tag: string;
}

export interface PullRequestEvent extends AutodeployEventBase {
  readonly type: "pull_request";
  readonly number: number;
  readonly title: string;
  /** Branch that it is to be merged into. */
  readonly base: string;
  /** Branch that it comes from. */
  readonly head: string;
  readonly fork: boolean;
  readonly draft: boolean;
  readonly labels: readonly string[];
  readonly merged: boolean;
}

/** A push, a tag or a pull request, the same from every forge. */
export type AutodeployEvent = BranchEvent | TagEvent | PullRequestEvent;

/** Which stages an event deploys; nothing for none. */
export type AutodeployTarget = { stage: string | string[] } | undefined | null;

export interface AutodeployArgs {
  /** Which stages an event deploys, or removes when its action is `removed`. */
  target?: (event: AutodeployEvent) => AutodeployTarget | Promise<AutodeployTarget>;
}

export interface ConsoleArgs {
  autodeploy?: AutodeployArgs;
}

/** The config's `console`, checked. What `target` returns is not: it runs later. */
export interface ConsoleSettings {
  readonly autodeploy: { readonly target: ((event: AutodeployEvent) => unknown) | null };
}

const target: Parse<((event: AutodeployEvent) => unknown) | null> = (value, at) => {
  if (value === undefined) return null;
  if (isFunction(value)) return value;
  throw at.invalid(value, "a function that takes an event and returns { stage }");
};

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

/** Parses the member `console` of a config. */
export const parseConsoleSettings: Parse<ConsoleSettings> = object({
  autodeploy: optional(
    object({ target } satisfies Members<AutodeployArgs>, ["runner", "workflow"]),
    { target: null },
  ),
} satisfies Members<ConsoleArgs>);
