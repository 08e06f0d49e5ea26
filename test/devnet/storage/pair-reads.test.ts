import { expect, test } from "vitest";
import { PairReads, type ReadPair } from "../../../server/devnet/storage/pair-reads.js";
import { RevertedError } from "../../../server/devnet/storage/reverted-error.js";
import { withResolvers } from "../../../shared/values/promises.js";
import { until } from "../../helpers/until.js";

/** Reads that end when a test requests it, in the order in which they began. */
function gatedReads() {
  const begun: { seqno: number; end: (pair: ReadPair) => void; fail: (error: Error) => void }[] = [];
  const reads = new PairReads((seqno) => {
    const { promise, resolve, reject } = withResolvers<ReadPair>();
    begun.push({ seqno, end: resolve, fail: reject });
    return promise;
  });
  return { reads, begun, seqnos: () => begun.map(({ seqno }) => seqno) };
}

const pairOf = (seqno: number) => ({ seqno }) as unknown as ReadPair;

test("Equal reads are shared, and results are cached", async () => {
  const { reads, begun } = gatedReads();
  const both = Promise.all([reads.get(7), reads.get(7)]);
  await until("the read begins", () => begun.length === 1);
  begun[0]!.end(pairOf(7));
  expect(await both).toEqual([pairOf(7), pairOf(7)]);
  expect(await reads.get(7)).toEqual(pairOf(7));
  expect(begun).toHaveLength(1);
});

test("More reads than the cache holds all end, though only some run at once", async () => {
  const { reads, begun } = gatedReads();
  const count = 500;
  const all = Promise.all(Array.from({ length: count }, (_, seqno) => reads.get(seqno)));
  for (let ended = 0; ended < count; ended++) {
    await until("a read waits for its end", () => begun.length > ended);
    expect(begun.length - ended).toBeLessThanOrEqual(16);
    begun[ended]!.end(pairOf(begun[ended]!.seqno));
  }
  expect(await all).toEqual(Array.from({ length: count }, (_, seqno) => pairOf(seqno)));
});

test("A read of a step that is reverted meanwhile rejects, and its result is not cached", async () => {
  const { reads, begun, seqnos } = gatedReads();
  const outcomes = Promise.allSettled([reads.get(3), reads.get(8), reads.get(9)]);
  await until("the reads begin", () => begun.length === 3);
  reads.truncate(7);
  const again = reads.get(8);
  for (const { seqno, end, fail } of begun.slice(0, 3))
    seqno === 9 ? fail(new Error("the log ends")) : end(pairOf(seqno));
  expect(await outcomes).toEqual([
    { status: "fulfilled", value: pairOf(3) },
    { status: "rejected", reason: new RevertedError(8) },
    { status: "rejected", reason: new RevertedError(9) },
  ]);
  await until("the step is read again", () => begun.length === 4);
  const replaced = pairOf(80);
  begun[3]!.end(replaced);
  expect(await again).toBe(replaced);
  expect(await reads.get(8)).toBe(replaced);
  expect(seqnos()).toEqual([3, 8, 9, 8]);
});

test("A waiting read of a step that is reverted does not run", async () => {
  const { reads, begun } = gatedReads();
  const running = Array.from({ length: 16 }, (_, seqno) => reads.get(seqno));
  const waiting = reads.get(100);
  const refused = expect(waiting).rejects.toThrow("step 100 was reverted while it was read");
  await until("all places are taken", () => begun.length === 16);
  reads.truncate(50);
  for (const { seqno, end } of begun) end(pairOf(seqno));
  await Promise.all(running);
  await refused;
  expect(begun).toHaveLength(16);
});

test("A failed read is tried again by the next caller", async () => {
  const { reads, begun } = gatedReads();
  const failed = expect(reads.get(1)).rejects.toThrow("damaged");
  await until("the read begins", () => begun.length === 1);
  begun[0]!.fail(new Error("damaged"));
  await failed;
  const again = reads.get(1);
  await until("the next read begins", () => begun.length === 2);
  begun[1]!.end(pairOf(1));
  expect(await again).toEqual(pairOf(1));
});
