import { expect, test } from "vitest";
import { shuffledIndexes } from "../../../../../../shared/ton/proofs/verify/trust/shuffle.js";
import { masterchain, wholeShard } from "../../../../../../shared/ton/tlb/block-id.js";

// Computed by another implementation of the node's algorithm. Each hash gives eight random numbers.
test("validators are shuffled as in the node, over several hashes", () => {
  const session = { shard: wholeShard, workchain: masterchain, catchainSeqno: 77 };
  expect(shuffledIndexes(20, session)).toEqual([
    4, 1, 11, 18, 14, 15, 10, 7, 0, 12, 2, 19, 9, 6, 5, 3, 17, 8, 13, 16,
  ]);
});

test("the shuffle depends on shard, workchain and session", () => {
  expect(shuffledIndexes(5, { shard: 1n << 62n, workchain: 0, catchainSeqno: 1 })).toEqual([3, 0, 4, 1, 2]);
});
