import { describeStore } from "../../testing/store-conformance.ts";
import { MemoryStore } from "./memory.ts";

describeStore("memory", async () => {
  const store = new MemoryStore();
  return { open: () => store, cleanUp: async () => {} };
});
