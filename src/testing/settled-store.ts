import { commitSlot } from "../home/log/commit-slot.ts";
import type { Store } from "../home/store.ts";
import { systemClock } from "../system/clock.ts";

/** A store whose writes are settled as the log settles them: what is lost on the way is read back. */
export function settledStore(store: Store): Store {
  return {
    location: store.location,
    get: (key) => store.get(key),
    list: (prefix, limit, after) => store.list(prefix, limit, after),
    delete: (key) => store.delete(key),
    putIfAbsent: async (key, bytes) => {
      const answer = await commitSlot(store, key, bytes, systemClock);
      return answer === "ours" ? "created" : "exists";
    },
  };
}
