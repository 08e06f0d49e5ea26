import { expect, test } from "vitest";
import { proofDuration } from "../../../../../../shared/ton/proofs/verify/trust/proof-duration.js";

const daySec = 86_400;

// Two key blocks in each 65,536 seconds, 25 ms for each.
test.each([
  [65_536, "proving some 2 key blocks takes about 1 s"],
  [65_537, "proving some 3 key blocks takes about 1 s"],
  [30 * daySec, "proving some 80 key blocks takes about 2 s"],
  [1180 * 65_536, "proving some 2360 key blocks takes about 59 s"],
  [1180 * 65_536 + 1, "proving some 2361 key blocks takes about 1 min"],
  [5 * 365 * daySec, "proving some 4813 key blocks takes about 3 min"],
])("a chain that is %i seconds old: %s", (ageSec, words) => {
  expect(proofDuration(ageSec)).toBe(words);
});
