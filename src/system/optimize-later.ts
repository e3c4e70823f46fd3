import { setFlagsFromString } from "node:v8";

/**
 * How much a function must have run, in V8's units, before V8 optimizes it. Its default of 66 kB is for programs that
 * run for long. A deploy of 5,000 resources spent a quarter of its CPU on optimizing code that then hardly ran.
 */
const INTERRUPT_BUDGET = 5_000_000;
/** V8 of Node.js 20, which has the flag; 12 and 13 (Node.js 22 and 24) print that they do not know it. */
const V8_MAJOR = "11.";

/** For processes that live for seconds: lets V8 optimize only what is very hot. What a loop computes still gets fast. */
export function optimizeLater(): void {
  if (!process.versions.v8.startsWith(V8_MAJOR)) return;
  setFlagsFromString(`--interrupt-budget=${INTERRUPT_BUDGET}`);
}
