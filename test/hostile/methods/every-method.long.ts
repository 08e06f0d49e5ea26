import { describe, expect, it, onTestFinished } from "vitest";
import { askHostilely, startHostileService } from "./hostile-service.js";

/**
 * Each part has a service of its own, so that memory and the chain stay small however long the suite is: a minute of a core.
 * `TONWIRE_FUZZ_PARTS` is the number of parts, by default one.
 */
const parts = Number(process.env["TONWIRE_FUZZ_PARTS"] ?? 1);
const callsOfPart = 5000;

describe(`every method, called ${parts * callsOfPart} times with hostile parameters`, () => {
  it.each(Array.from({ length: parts }, (_, part) => part + 1))(
    "answers with results and deliberate refusals: seed %i",
    async (seed) => {
      const service = await startHostileService();
      onTestFinished(() => service.close());
      const { kinds, internal } = await askHostilely(service, { seed, calls: callsOfPart });
      expect(internal).toEqual([]);
      expect(kinds["ok"]).toBeGreaterThan(callsOfPart / 10);
    },
  );
});
