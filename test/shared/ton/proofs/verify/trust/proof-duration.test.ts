import { expect, test } from "vitest";
import { proofDuration } from "../../../../../../shared/ton/proofs/verify/trust/proof-duration.js";

const daySec = 86_400;

// Two key blocks in each 65,536 seconds, 60 ms for each.
test.each([
  [65_536, "proving some 2 key blocks takes about a minute"],
  [65_537, "proving some 3 key blocks takes about a minute"],
  [30 * daySec, "proving some 80 key blocks takes about a minute"],
  [500 * 65_536, "proving some 1000 key blocks takes about a minute"],
  [500 * 65_536 + 1, "proving some 1001 key blocks takes about 2 minutes"],
  [5 * 365 * daySec, "proving some 4813 key blocks takes about 5 minutes"],
])("a chain that is %i seconds old: %s", (ageSec, words) => {
  expect(proofDuration(ageSec)).toBe(words);
});
