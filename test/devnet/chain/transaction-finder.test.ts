import { describe, expect, it } from "vitest";
import { TransactionFinder } from "../../../server/devnet/chain/transaction-finder.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../../helpers/chain/devnet.js";

const nobody = new Uint8Array(32).fill(7);

/** A chain with occasional transactions of one wallet, and a finder that counts the steps it reads. */
async function paidChain() {
  const payer = new TestWallet("payer");
  const storage = new ChainStore();
  const chain = await openTestChain({ accounts: funded([payer]), storage });
  const read: number[] = [];
  const finder = new TransactionFinder({
    blocksAt(seqno) {
      read.push(seqno);
      return storage.blocksAt(seqno);
    },
  });
  /** Hash of the transaction that processes the order. */
  async function pay(): Promise<Uint8Array> {
    await chain.sendMessage(payer.pay({ to: payer.address, value: ton }));
    await settleDown(chain);
    const { workchain, hash } = payer.address;
    return chain.account(workchain, hash)!.lastTransHash;
  }
  return { chain, payer, finder, read, pay };
}

describe("transactions by their hash", () => {
  it("are found in any block, and no block is indexed twice", async () => {
    const { chain, payer, finder, read, pay } = await paidChain();
    const old = await pay();
    for (let blocks = 0; blocks < 20; blocks++) await chain.step();
    const recent = await pay();
    const find = (hash: Uint8Array) => finder.find(hash, chain.head.seqno);

    const { workchain, hash: id } = payer.address;
    expect(await find(recent)).toMatchObject({ workchain, id });
    expect(read.length).toBeLessThan(10);
    expect(await find(old)).toMatchObject({ workchain, id });
    expect(await find(nobody)).toBeUndefined();
    const looked = read.length;
    expect(looked).toBeLessThanOrEqual(chain.head.seqno + 2);

    const next = await pay();
    expect(await Promise.all([find(next), find(nobody), find(old)])).toMatchObject([
      { id },
      undefined,
      { id },
    ]);
    // The new step, and the steps of the found transactions.
    expect(read.slice(looked)).toHaveLength(3);
    await chain.close();
  });

  it("are forgotten when their blocks are reverted and replaced", async () => {
    const { chain, finder, pay } = await paidChain();
    const kept = await pay();
    const { seqno } = chain.head;
    const gone = await pay();
    expect(await finder.find(gone, chain.head.seqno)).toBeDefined();
    await chain.exclusive((revert) => revert(seqno));
    finder.truncate(seqno);
    expect(await finder.find(gone, chain.head.seqno)).toBeUndefined();
    for (let blocks = 0; blocks < 5; blocks++) await chain.step();
    expect(await finder.find(gone, chain.head.seqno)).toBeUndefined();
    expect(await finder.find(kept, chain.head.seqno)).toBeDefined();
    await chain.close();
  });
});
