import { expect, test } from "vitest";
import { forkFactsOf } from "../../../server/process/network/fork-sign.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";

const hash = new Uint8Array(32);
const block = { workchain: -1, shard: wholeShard, seqno: 7, rootHash: hash, fileHash: hash };
const origin = {
  ...{ requests: 0, failures: 0, durationMs: 0, cached: 0, waiting: 0, isFull: false, problem: undefined },
};

function factsOf(source: string, globalId: number) {
  const fork = { source, block, utime: 1, lt: 1n, isProven: true, globalId, origin };
  const current = { conditions: { latencyMs: 0, failRate: 0 }, names: {}, fork };
  return forkFactsOf({ current, onChange: () => () => {} })();
}

test.each([
  ["mainnet", -239],
  ["toncenter.example", -3],
])("a message signed on a fork of %s is said to be valid on the real network", (source, globalId) => {
  expect(factsOf(source, globalId)).toEqual({
    ...{ source, seqno: 7, isProven: true },
    warning: "a message signed with a real key is valid on the real network too",
  });
});

test("a message signed on a fork of another network is said to be valid there, and where the id is the same", () => {
  expect(factsOf("devnet.json", -20_250)!.warning).toBe(
    "a message signed here is valid on devnet.json too, and on any network with the id -20250",
  );
});
