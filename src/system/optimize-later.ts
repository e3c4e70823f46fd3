import { setFlagsFromString } from "node:v8";

/**
 * How much a function must have run, in V8's units, before V8 optimizes it. Its default of 66 kB is for programs that
 * run for long. A deploy of 5,000 resources spent a quarter of its CPU on optimizing code that then hardly ran.
 */
const INTERRUPT_BUDGET = 5_000_000;
/** The versions of V8 (Node.js 20 to 24) known to have the flag; another might print that it does not. */
const V8_VERSIONS = { from: 11, to: 13 } as const;

/** For processes that live for seconds: lets V8 optimize only what is very hot. What a loop computes still gets fast. */
export function optimizeLater(): void {
  const version = Number.parseInt(process.versions.v8, 10);
  if (version < V8_VERSIONS.from || version > V8_VERSIONS.to) return;
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
