import { describe, expect, it } from "vitest";
import { simulatedApp } from "../../src/testing/simulated-app.ts";
import { huntSingleFaults } from "./hunt.ts";
import { SCENARIOS } from "./scenarios.ts";

describe("one fault anywhere, then one plain rerun", () => {
  for (const scenario of SCENARIOS) {
    it(`leaves nothing behind: ${scenario.name}`, { timeout: 120_000 }, async () => {
      const { problems, tried } = await huntSingleFaults(scenario, simulatedApp);
      expect(problems).toEqual([]);
      expect(tried).toBeGreaterThan(50);
    });
  }
});
