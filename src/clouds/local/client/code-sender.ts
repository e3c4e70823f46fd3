import type { ControlClient } from "./control-client.ts";

/**
 * Makes the server have a bundle: asks whether it does, and sends the zip if not. Who asks for one that is on its way
 * waits for that.
 *
 * @param readBundle the zip of a bundle, by its hash
 */
export function codeSender(
  client: Pick<ControlClient, "hasCode" | "putCode">,
  readBundle: (hash: string) => Promise<Uint8Array>,
): (stageKey: string, hash: string) => Promise<void> {
  const underWay = new Map<string, Promise<void>>();
  const send = async (stageKey: string, hash: string): Promise<void> => {
    if (await client.hasCode(stageKey, hash)) return;
    await client.putCode(stageKey, hash, await readBundle(hash));
  };
  return (stageKey, hash) => {
    const key = `${stageKey} ${hash}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const sending = send(stageKey, hash).finally(() => underWay.delete(key));
    underWay.set(key, sending);
    return sending;
  };
}
