import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../../server/chain/executor/executor.js";
import type { BlockDraft } from "../../../../server/devnet/collate/block/draft.js";
import { configAddress, electorAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { readExternal } from "../../../../server/devnet/mempool/external-message.js";
import { funded, openTestChain, TestWallet, ton } from "../../../helpers/chain/devnet.js";
import { sharedExecutor } from "../../../helpers/chain/shared-executor.js";
import { draftAfter, startLt } from "../made-step.js";

describe("the draft of a block", () => {
  let executor: Executor;
  beforeAll(async () => {
    executor = await sharedExecutor();
  });

  /** A draft after the zero state of a chain with these wallets. */
  async function draftWith(...wallets: TestWallet[]) {
    const chain = await openTestChain({ accounts: funded(wallets) });
    return {
      basechain: draftAfter(chain.tip, "basechain", executor),
      masterchain: draftAfter(chain.tip, "masterchain", executor),
    };
  }

  /** Runs a wallet's payments of one TON each. */
  function pay(draft: BlockDraft, from: TestWallet, ...to: TestWallet[]) {
    const payments = to.map(({ address }) => ({ to: address, value: ton, bounce: false }));
    expect(draft.importExternal(readExternal(from.pay(...payments)))).toBe(true);
    return draft.deliveries.at(-1)!.transaction.value;
  }

  function deliverNext(draft: BlockDraft) {
    const message = draft.newMessages.pop()!;
    draft.deliver(message);
    return { message, transaction: draft.deliveries.at(-1)!.transaction.value };
  }

  it("begins the transactions of each account at the block's start", async () => {
    const [a, b] = [new TestWallet("a"), new TestWallet("b")];
    const { basechain } = await draftWith(a, b);
    expect(pay(basechain, a, b).lt).toBe(startLt + 1n);
    expect(pay(basechain, b, a).lt).toBe(startLt + 1n);
    // One lt for each transaction and each message.
    expect(pay(basechain, a, b, b).lt).toBe(startLt + 3n);
    expect(pay(basechain, a, b).lt).toBe(startLt + 6n);
  });

  it("runs an external message behind the internal ones that were delivered to other accounts", async () => {
    const [a, b, c] = [new TestWallet("a"), new TestWallet("b"), new TestWallet("c")];
    const { basechain } = await draftWith(a, b, c);
    pay(basechain, a, c, c, c);
    const delivered = [deliverNext(basechain), deliverNext(basechain), deliverNext(basechain)];
    const { lt } = delivered.at(-1)!.message;
    expect(basechain.lastDelivered?.lt).toBe(lt);
    expect(pay(basechain, b, a).lt).toBe(lt + 1n);
  });

  it("delivers messages of several accounts in the order of their lt, each before its transaction", async () => {
    const wallets = ["a", "b", "c", "d"].map((name) => new TestWallet(name));
    const [a, b, c, d] = wallets as [TestWallet, TestWallet, TestWallet, TestWallet];
    const { basechain } = await draftWith(...wallets);
    pay(basechain, a, c, d, c, d);
    pay(basechain, b, d, c);
    pay(basechain, b, d, c);
    const delivered = [];
    while (basechain.newMessages.size > 0) delivered.push(deliverNext(basechain));
    expect(delivered).toHaveLength(8);
    const lts = delivered.map(({ message }) => message.lt);
    expect(lts).toEqual(lts.toSorted((one, other) => Number(one - other)));
    expect(new Set(lts).size).toBeLessThan(lts.length);
    for (const { message, transaction } of delivered) expect(transaction.lt).toBeGreaterThan(message.lt);
  });

  it("ends behind the transactions and messages of all accounts, not of the last one", async () => {
    const [a, b] = [new TestWallet("a"), new TestWallet("b")];
    const { basechain } = await draftWith(a, b);
    expect(basechain.maxLt).toBe(startLt + 1n);
    pay(basechain, a, b, b, b, b);
    expect(basechain.maxLt).toBe(startLt + 6n);
    pay(basechain, b, a);
    expect(basechain.maxLt).toBe(startLt + 6n);
    expect(basechain.transactionCount).toBe(2);
  });

  it("runs a tick at its start, and a tock behind all other accounts", async () => {
    const wallet = new TestWallet("master", "v3r2", -1);
    const { masterchain } = await draftWith(wallet);
    const ltsOf = (id: Uint8Array) => masterchain.accounts.at(id).transactions.map(({ value }) => value.lt);
    // The elector has a tick only, the configuration a tock.
    for (const { hash } of [electorAddress, configAddress]) masterchain.tickTock(hash, "tick");
    pay(masterchain, wallet, wallet, wallet, wallet);
    const end = masterchain.maxLt;
    expect(end).toBe(startLt + 5n);
    for (const { hash } of [electorAddress, configAddress, wallet.address])
      masterchain.tickTock(hash, "tock");
    expect(ltsOf(electorAddress.hash)).toEqual([startLt + 1n]);
    expect(ltsOf(configAddress.hash)).toEqual([end]);
    expect(ltsOf(wallet.address.hash)).toHaveLength(1);
  });
});
