import type { HandlerResult, Handlers, ResourceHandler } from "../engine/handler.ts";
import type { OutputVault } from "../home/secrets/output-vault.ts";
import type { JsonObject } from "../model/json.ts";

/**
 * The handlers of a cloud, with what their secret outputs are replaced before the engine sees them: encrypted where
 * the resource is made or changed, and left out where it is only looked at, which keeps what is recorded.
 *
 * @param vault null for commands that only look or delete; they need no key
 */
export function hideSecretOutputs(handlers: Handlers, vault: OutputVault | null): Handlers {
  return new Map([...handlers].map(([type, handler]) => [type, hidden(handler, vault)]));
}

function hidden(handler: ResourceHandler, vault: OutputVault | null): ResourceHandler {
  const secret = handler.secretOutputs ?? [];
  if (secret.length === 0) return handler;
  const made = <Result extends HandlerResult>(result: Result): Result =>
    replaced(result, secret, (value) => vault?.encrypt(value));
  return {
    ...handler,
    read: async (context, id) => replaced(await handler.read(context, id), secret, () => undefined),
    create: async (context, inputs) => made(await handler.create(context, inputs)),
    update: async (context, id, inputs) => made(await handler.update(context, id, inputs)),
  };
}

function replaced<Result extends HandlerResult>(
  result: Result,
  secret: readonly string[],
  replace: (value: JsonObject[string]) => JsonObject | undefined,
): Result {
  if (result.kind !== "done") return result;
  const outputs: Record<string, JsonObject[string]> = {};
  for (const [name, value] of Object.entries(result.outputs)) {
    const kept = secret.includes(name) ? replace(value) : value;
    if (kept !== undefined) outputs[name] = kept;
  }
  return { ...result, outputs };
}
