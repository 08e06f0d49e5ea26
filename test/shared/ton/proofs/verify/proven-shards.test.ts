import { expect, test } from "vitest";
import { ProvenShards } from "../../../../../shared/ton/proofs/verify/proven-shards.js";
import { wholeShard } from "../../../../../shared/ton/tlb/block-id.js";

const blockOf = (workchain: number, seqno: number) => {
  const hash = new Uint8Array(32).fill(seqno);
  return { workchain, shard: wholeShard, seqno, rootHash: hash, fileHash: hash };
};

test("a proof is known with its bytes, for its two blocks only", () => {
  const proven = new ProvenShards();
  const [master, shard] = [blockOf(-1, 7), blockOf(0, 9)];
  const proof = Uint8Array.of(1, 2, 3);
  expect(proven.has(master, shard, proof)).toBe(false);
  proven.add(master, shard, proof);
  expect(proven.has(master, shard, Uint8Array.of(1, 2, 3))).toBe(true);
  expect(proven.has(master, shard, Uint8Array.of(1, 2, 4))).toBe(false);
  expect(proven.has(blockOf(-1, 8), shard, proof)).toBe(false);
  expect(proven.has(master, blockOf(0, 8), proof)).toBe(false);
});

test("bytes that change after they were verified are not known", () => {
  const proven = new ProvenShards();
  const [master, shard] = [blockOf(-1, 7), blockOf(0, 9)];
  const received = Uint8Array.of(1, 2, 3);
  proven.add(master, shard, received);
  received[0] = 9;
  expect(proven.has(master, shard, received)).toBe(false);
  expect(proven.has(master, shard, Uint8Array.of(1, 2, 3))).toBe(true);
});

test("the newest 32 proofs are kept, and at most 64", () => {
  const proven = new ProvenShards();
  const proof = Uint8Array.of(1);
  for (let seqno = 1; seqno <= 65; seqno++) proven.add(blockOf(-1, seqno), blockOf(0, seqno), proof);
  expect([1, 34, 65].map((seqno) => proven.has(blockOf(-1, seqno), blockOf(0, seqno), proof))).toEqual([
    false,
    true,
    true,
  ]);
});
