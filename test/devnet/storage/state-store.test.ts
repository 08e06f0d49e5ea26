import { expect, test } from "vitest";
import type { BlockPair } from "../../../server/devnet/collate/block/block-pair.js";
import { RevertedError } from "../../../server/devnet/storage/reverted-error.js";
import { StateStore } from "../../../server/devnet/storage/state-store.js";
import { sized } from "../../helpers/effort.js";
import { SyntheticChain } from "./synthetic-chain.js";

const limits = { recent: 1, interval: 100_000 };

/**
 * States of a chain with this number of steps, whose old states must all be rebuilt. `reads` counts the blocks read for
 * that.
 */
async function storeOf(steps: number) {
  const chain = new SyntheticChain();
  const pairs: BlockPair[] = Array.from({ length: steps }, () => chain.step());
  const reads = { count: 0 };
  const { masterchain, basechain } = chain.genesis;
  const zero = { masterchain: masterchain.state, basechain: basechain.state };
  const store = new StateStore(zero, limits, async (seqno) => {
    reads.count++;
    const pair = pairs[seqno - 1]!;
    return { masterchain: pair.masterchain.root, basechain: pair.basechain.root };
  });
  for (const { masterchain, basechain } of pairs)
    store.add(masterchain.id.seqno, { masterchain: masterchain.state, basechain: basechain.state });
  return { store, pairs, reads };
}

test("Rebuilds of old states that run at once share their way", async () => {
  const count = sized(60, 200);
  const { store, pairs, reads } = await storeOf(5 * count);
  const wanted = Array.from({ length: count }, (_, i) => 1 + 4 * i);
  const states = await Promise.all(wanted.map((seqno) => store.get(seqno)));
  expect(states.map(({ masterchain }) => masterchain.hashHex())).toEqual(
    wanted.map((seqno) => pairs[seqno - 1]!.masterchain.state.hashHex()),
  );
  // The way to the last state once, and half an interval for each of the others. Each on its own reads two for each that is wanted.
  expect(reads.count).toBeLessThan(4 * count + sized(count * 25, count * 50));
});

test("A rebuild whose step is reverted rejects, and those of earlier steps go on", async () => {
  const { store, pairs } = await storeOf(300);
  const reads = Promise.allSettled([store.get(120), store.get(280)]);
  store.truncate(200);
  expect(await reads).toEqual([
    { status: "fulfilled", value: expect.anything() },
    { status: "rejected", reason: new RevertedError(280) },
  ]);
  const { masterchain } = await store.get(120);
  expect(masterchain.hashHex()).toBe(pairs[119]!.masterchain.state.hashHex());
});
