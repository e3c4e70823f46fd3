import type { Clock } from "../../../model/world.ts";
import { classify } from "./classify.ts";
import { LostAnswer } from "./lost-answer.ts";
import { Pacer } from "./pacer.ts";
import { PACES, SENT_ONCE, type ServiceName } from "./paces.ts";

/** Where the middleware stands: within the SDK's repetition, so that every try waits for its turn. */
export const BEFORE_EACH_TRY = {
  relation: "after",
  toMiddleware: "retryMiddleware",
  name: "scrimTurn",
} as const;

/** A middleware of the SDK, of which this uses the next one and the name of the command. */
type Turn = <A, R>(
  next: (args: A) => Promise<R>,
  context: { readonly commandName?: string },
) => (args: A) => Promise<R>;

/**
 * Makes the calls of a service wait for their turn, and keeps the SDK from repeating a call that may have been carried
 * out and must not be twice. All clients made by one `createTurns` share the paces.
 */
export function createTurns(clock: Clock): (service: ServiceName) => Turn {
  const pacers = new Map<string, Pacer>();
  const pacerOf = (service: ServiceName, command: string): Pacer => {
    const { commands, ...pace } = PACES[service];
    const own = commands?.[command];
    const key = own === undefined ? service : `${service} ${command}`;
    const pacer = pacers.get(key) ?? new Pacer(own ?? pace, clock);
    pacers.set(key, pacer);
    return pacer;
  };
  return (service) =>
    (next, { commandName = "" }) =>
    async (args) => {
      await pacerOf(service, commandName).turn();
      if (!SENT_ONCE.has(commandName)) return next(args);
      return next(args).catch((error: unknown) => {
        const isLost = error instanceof Error && classify(error) === "lost";
        throw isLost ? new LostAnswer(commandName, error) : error;
      });
    };
}
