import { describe, expect, it, onTestFinished } from "vitest";
import { isRest } from "../../helpers/effort.js";
import { askHostilely, startHostileService } from "./hostile-service.js";

/**
 * Each part has a service of its own, so that memory and the chain stay small however long the suite is: a minute of a core.
 * The run of all tests has 5,000 calls, that of the long ones 150,000.
 */
const parts = isRest ? 30 : 1;
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
