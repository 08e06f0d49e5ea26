import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ExecutorThreads } from "../../../server/chain/executor/threads/executor-threads.js";
import { DebugRuns } from "../../../server/chain/retrace/debug-runs.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import { accountPrefix, type BlockIdExt, sameBlock } from "../../../shared/ton/tlb/block-id.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { funded, openTestChain, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { splitAndMerged } from "../../helpers/chain/split-and-merged.js";

/** Wallets of the left and of the right half of the basechain. */
const [left, right] = [0n, 1n].map((side) => {
  const all = Array.from({ length: 20 }, (_, at) => new TestWallet(`wallet ${at}`));
  return all.filter(({ address }) => accountPrefix(address.hash) >> 63n === side).slice(0, 2);
}) as [TestWallet[], TestWallet[]];
const wallets = [...left, ...right];

describe("transactions in the first blocks after a split and a merge, run again", () => {
  let executor: ExecutorThreads;
  let reader: ChainReader;
  let halves: readonly BlockIdExt[];
  let merged: BlockIdExt;
  beforeAll(async () => {
    const storage = new ChainStore();
    const chain = await openTestChain({ accounts: funded(wallets), storage });
    executor = new ExecutorThreads({ threads: 1, deadlineMs: 300_000 });
    await chain.begin();
    // In each of the last three blocks all wallets send, so that each state before differs from the one before that.
    for (let block = 0; block < 3; block++) {
      for (const [at, wallet] of wallets.entries())
        await chain.sendTrusted(
          wallet.pay({ to: itemAt(wallets, (at + 1) % wallets.length).address, value: ton, bounce: false }),
        );
      await chain.step();
    }
    const made = await splitAndMerged(storage);
    ({ halves, merged } = made);
    const head = new ChainHead(await made.lite.getMasterchainInfo(), Date.now);
    reader = new ChainReader({ lite: made.lite, head });
    return () => chain.close();
  });
  afterAll(() => executor.close());

  /** Runs each transaction of the wallets in a block by the block's own place. */
  async function runAll(block: BlockIdExt, accounts: readonly TestWallet[]) {
    const runs = new DebugRuns(new Retrace({ reader, executor }));
    const done = [];
    for (const { address } of accounts)
      for (const { transaction } of await reader.accountTransactions(block, address))
        done.push(
          await runs.transaction({ address, lt: transaction.lt }, { force: false, withStacks: false }, {}),
        );
    return done.map(({ own: { level }, block: retraced }) => ({ level, inputs: retraced!.inputs }));
  }

  it("begin at the state of the parent after a split", async () => {
    const parent = (await reader.header(itemAt(halves, 0))).previous;
    for (const [half, accounts] of [
      [itemAt(halves, 0), left],
      [itemAt(halves, 1), right],
    ] as const) {
      const done = await runAll(half, accounts);
      expect(done.length).toBeGreaterThanOrEqual(accounts.length);
      for (const { level, inputs } of done) {
        expect(level).toBe("exact");
        expect([sameBlock(inputs.block, half), sameBlock(inputs.before, itemAt(parent, 0))]).toEqual([
          true,
          true,
        ]);
      }
    }
  });

  it("begin at the state of the half with the account after a merge", async () => {
    for (const [half, accounts] of [
      [itemAt(halves, 0), left],
      [itemAt(halves, 1), right],
    ] as const) {
      const done = await runAll(merged, accounts);
      expect(done.length).toBeGreaterThanOrEqual(accounts.length);
      for (const { level, inputs } of done) {
        expect(level).toBe("exact");
        expect([sameBlock(inputs.block, merged), sameBlock(inputs.before, half)]).toEqual([true, true]);
      }
    }
  });
});
