import { expect, it } from "vitest";
import { settlement } from "../../../server/methods/devnet/settlement.js";
import { noReach, StreamReach } from "../../../server/process/index/index-reach.js";
import { type BlockIdExt, masterchain, wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { Listeners } from "../../../shared/values/listeners.js";

/** Longer than any test: what resolves has not waited for it. */
const forever = 2_000_000_000;

/** A block of one of several chains. */
function block(seqno: number, chain = 1): BlockIdExt {
  const hash = new Uint8Array(32).fill(chain);
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash: hash, fileHash: hash };
}

/** A devnet at block 5, and the streams of its index. */
function world({ isWriter = true } = {}) {
  const [heads, reverts, caughtUp, reached] = [
    new Listeners<BlockIdExt>(),
    new Listeners<number>(),
    new Listeners<BlockIdExt>(),
    new Listeners<void>(),
  ];
  const told: { head: BlockIdExt | undefined } = { head: undefined };
  const reach = new StreamReach({
    events: { onHead: (listener) => heads.add(listener), onReverted: (listener) => reverts.add(listener) },
    head: block(5),
    indexing: { onCaughtUp: (listener) => void caughtUp.add(listener) },
    streams: {
      get head() {
        return told.head && { ...told.head, genUtime: 0n, endLt: 0n };
      },
      onReached: (listener) => reached.add(listener),
    },
  });
  if (isWriter) caughtUp.notify(block(5));
  return {
    reach,
    make: (seqno: number, chain?: number) => heads.notify(block(seqno, chain)),
    revert(seqno: number, chain?: number) {
      reverts.notify(seqno);
      heads.notify(block(seqno, chain));
    },
    tell(seqno: number, chain?: number) {
      told.head = block(seqno, chain);
      reached.notify();
    },
    index: (seqno: number, chain?: number) => caughtUp.notify(block(seqno, chain)),
  };
}

it("waits until the streams have sent the block", async () => {
  const { reach, make, tell } = world();
  make(6);
  make(7);
  const waiting = reach.reaches(block(7), forever);
  tell(5);
  tell(6);
  expect(reach.behind).toBe(1);
  expect(await reach.reaches(block(7), 1)).toBe(false);
  tell(7);
  expect(await waiting).toBe(true);
  expect(await reach.reaches(block(6), 0)).toBe(true);
  expect(reach.behind).toBe(0);
});

it("ends at once with a revert, and knows no block that is gone", async () => {
  const { reach, make, revert, tell } = world();
  make(6);
  const waiting = reach.reaches(block(6), forever);
  revert(5);
  expect(await waiting).toBe(false);
  expect(await reach.reaches(block(6), forever)).toBe(false);
  // Another block with the same number.
  make(6, 2);
  expect(await reach.reaches(block(6), forever)).toBe(false);
  tell(6);
  expect(await reach.reaches(block(6, 2), 1)).toBe(false);
});

it("waits after a revert until the index has followed, though both chains have the block", async () => {
  const { reach, make, revert, tell, index } = world();
  tell(5);
  make(6);
  index(6);
  revert(5);
  const waiting = reach.reaches(block(5), forever);
  expect(await reach.reaches(block(5), 1)).toBe(false);
  // Stored before it learned of the revert.
  index(6);
  expect(await reach.reaches(block(5), 1)).toBe(false);
  index(5);
  expect(await waiting).toBe(true);
});

it("compares blocks alone where another process writes the index", async () => {
  const { reach, make, revert, tell } = world({ isWriter: false });
  make(6);
  tell(6);
  revert(5);
  const waiting = reach.reaches(block(5), forever);
  expect(reach.behind).toBe(5);
  tell(5);
  expect(await waiting).toBe(true);
  make(6, 2);
  tell(6, 2);
  expect(await reach.reaches(block(6, 2), 0)).toBe(true);
});

it("leaves a part of the call's deadline, and has one time for trace and index", async () => {
  const calls = settlement(noReach, { maxMs: 5000, callTimeoutMs: 1000 });
  expect(calls().leftMs).toBeLessThanOrEqual(800);
  const long = calls({ timeoutMs: 60_000 });
  expect(long.leftMs).toBe(5000);
  expect(await long.after({ isComplete: true, block: undefined, leftMs: 0 })).toBe(true);
  expect(await long.after({ isComplete: false, block: block(5), leftMs: 100 })).toBe(false);
  const { reach } = world();
  const slow = settlement(reach, { maxMs: forever, callTimeoutMs: 2 * forever })();
  expect(await slow.after({ isComplete: true, block: block(5), leftMs: 1 })).toBe(false);
});
