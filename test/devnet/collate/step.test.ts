import { describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { BlockPair, CollatedBlock } from "../../../server/devnet/collate/block/block-pair.js";
import { balanceEdit } from "../../../server/devnet/genesis/account-edits.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { shardAt } from "../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import { Address } from "../../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton, validatorsOf } from "../../helpers/chain/devnet.js";
import { type States, supplyOf, validateStep } from "./validate-step.js";

const million = 1_000_000n;

describe("the step of a devnet", () => {
  const statesOf = ({ tip }: DevnetChain): States => ({
    masterchain: tip.masterchain.state,
    basechain: tip.basechain.state,
  });

  /** Makes and validates a step. */
  async function step(chain: DevnetChain, request: Parameters<DevnetChain["step"]>[0] = {}) {
    const before = statesOf(chain);
    const made = await chain.step(request);
    validateStep(made.pair, before, validatorsOf(chain));
    return made;
  }

  const parts = ({ root, state }: CollatedBlock) => {
    const block = decode(Block, root);
    return {
      block,
      info: block.info.value,
      extra: block.extra.value,
      state: decode(ShardStateUnsplit, state),
    };
  };
  /** Kinds of the records of messages, in both blocks. */
  const kindsIn = ({ basechain, masterchain }: BlockPair) => {
    const kinds = [basechain, masterchain].flatMap((block) => {
      const { extra } = parts(block);
      return [...extra.inMsgDescr.value.values(), ...extra.outMsgDescr.value.values()].map(
        ({ kind }) => kind,
      );
    });
    return [...new Set(kinds)].sort();
  };

  it("delivers messages within a chain at once, and to the other chain with its next block", async () => {
    const [a, b, m] = [new TestWallet("a"), new TestWallet("b"), new TestWallet("m", "v3r2", -1)];
    const chain = await openTestChain({ accounts: funded([a, b, m]) });
    const supply = supplyOf(statesOf(chain));
    const payment = (to: TestWallet) => ({ to: to.address, value: ton, bounce: false });
    await chain.sendTrusted(a.pay(payment(b), payment(m), payment(a)));
    await chain.sendTrusted(m.pay(payment(b)));

    const first = await step(chain);
    expect(first.pair.finished.map(({ included }) => included)).toEqual([true, true]);
    // The masterchain block imports from the basechain block of the same step.
    expect(kindsIn(first.pair)).toEqual(["ext", "fin", "imm", "new"]);
    expect(first.deliveries).toHaveLength(5);
    const second = await step(chain);
    expect(kindsIn(second.pair)).toEqual(["deqShort", "fin"]);
    expect(second.deliveries.map(({ destination }) => destination.equals(b.address))).toEqual([true]);
    while (chain.hasWork) await step(chain);
    expect(supplyOf(statesOf(chain))).toBe(supply);
    for (const { state } of [
      parts(chain.tip.basechain as CollatedBlock),
      parts(chain.tip.masterchain as CollatedBlock),
    ])
      expect([...state.outMsgQueueInfo.value.outQueue.keys()]).toEqual([]);
  });

  it("makes blocks that follow each other, and refer to each other", async () => {
    const chain = await openTestChain({ rewards: true });
    const made: BlockPair[] = [];
    for (let i = 0; i < 3; i++) made.push((await step(chain)).pair);
    for (const [at, { basechain, masterchain }] of made.entries()) {
      const [base, master] = [parts(basechain), parts(masterchain)];
      expect([basechain.startLt % million, masterchain.startLt % million]).toEqual([0n, 0n]);
      expect(masterchain.startLt).toBe((basechain.endLt / million + 1n) * million);
      expect([base.info.notMaster, master.info.notMaster]).toEqual([true, false]);
      expect([base.state.custom, base.info.masterRef === undefined]).toEqual([undefined, false]);
      expect([master.info.masterRef, master.state.totals.value.masterRef]).toEqual([undefined, undefined]);
      expect([base.info.version, base.info.vertSeqno, base.info.flags]).toEqual([0, 0, master.info.flags]);
      for (const flag of [
        "afterMerge",
        "beforeSplit",
        "afterSplit",
        "wantSplit",
        "wantMerge",
        "vertSeqnoIncr",
      ] as const)
        expect([flag, base.info[flag], master.info[flag]]).toEqual([flag, false, false]);
      expect([base.state.vertSeqno, base.state.beforeSplit]).toEqual([0, false]);
      expect(base.state.totals.value.overloadHistory).toBe(0n);
      if (at === 0) continue;
      const before = made[at - 1]!;
      expect(basechain.startLt).toBe((before.masterchain.endLt / million + 1n) * million);
      const { seqno, rootHash, fileHash } = before.masterchain.id;
      const reference = { seqno, rootHash, fileHash, endLt: before.masterchain.endLt };
      expect(base.info.masterRef?.value.master).toEqual(reference);
      expect(base.state.totals.value.masterRef?.master).toEqual(reference);
      expect(base.info.minRefMcSeqno).toBeLessThanOrEqual(seqno);
      expect(master.info.minRefMcSeqno).toBeLessThanOrEqual(base.info.minRefMcSeqno);
      const { history } = { history: master.state.custom!.value.history.value };
      expect(history.prevBlocks.get(seqno)?.blkRef).toEqual(reference);
      const descr = shardAt(master.state.custom!.value.shardHashes, 0, 0n)!.descr;
      expect(descr).toMatchObject({
        regMcSeqno: masterchain.id.seqno,
        minRefMcSeqno: base.info.minRefMcSeqno,
        genUtime: basechain.genUtime,
        startLt: basechain.startLt,
        endLt: basechain.endLt,
      });
    }
    const { seqno } = made[2]!.masterchain.id;
    const last = parts(made[2]!.masterchain);
    expect(last.info.prevKeyBlockSeqno).toBeLessThan(seqno);
    expect(parts(made[2]!.basechain).info.prevKeyBlockSeqno).toBe(last.info.prevKeyBlockSeqno);
  });

  it("gives a balance, injects a message and counts what was added to all accounts together", async () => {
    const [giver, taker] = [
      new Address(0, new Uint8Array(32).fill(1)),
      new Address(0, new Uint8Array(32).fill(2)),
    ];
    const chain = await openTestChain();
    const globalBalance = () =>
      decode(ShardStateUnsplit, chain.tip.masterchain.state).custom!.value.globalBalance.coins;
    const before = globalBalance();
    const edited = await step(chain, { edits: [balanceEdit(giver, 5n * ton)] });
    expect(edited.pair.edited).toEqual([giver]);
    expect(globalBalance()).toBe(before + 5n * ton);
    const injection = { from: giver, to: taker, value: 3n * ton, bounce: false };
    const { injected, deliveries } = await step(chain, { injected: [injection] });
    expect(injected).toEqual(deliveries);
    expect(injected[0]!.destination).toEqual(taker);
    expect(globalBalance()).toBe(before + 8n * ton);
    await step(chain, { edits: [balanceEdit(giver, ton)] });
    expect(globalBalance()).toBe(before + 4n * ton);
  });

  it("runs no ticks and tocks if they are left out", async () => {
    const chain = await openTestChain();
    const ran = async (request: object) => {
      const { pair } = await step(chain, request);
      return [...transactionsOf(parts(pair.masterchain).extra.accountBlocks.value)].length;
    };
    expect(await ran({})).toBe(2);
    expect(await ran({ noTicks: true })).toBe(0);
  });
});
