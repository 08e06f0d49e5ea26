import { Cell as CoreCell, loadTransaction as coreLoadTransaction } from "@ton/core";
import { beforeAll, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import type { BlockPair } from "../../../server/devnet/collate/block/block-pair.js";
import { storyBlocks } from "../../../server/devnet/story/story.js";
import { devnetWallets } from "../../../server/devnet/wallets/devnet-wallets.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { transactionsOf } from "../../../shared/ton/tlb/account-block.js";
import { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { Address } from "../../../shared/values/address.js";
import {
  funded,
  openTestChain,
  settleDown,
  TestWallet,
  ton,
  validatorsOf,
} from "../../helpers/chain/devnet.js";
import { sized } from "../../helpers/effort.js";
import { type States, supplyOf, validateStep } from "./validate-step.js";

/** Kinds of message records that the run must contain. */
const recordKinds = ["deqImm", "deqShort", "ext", "fin", "imm", "new"];

describe("the blocks of a mixed run", () => {
  const steps: { pair: BlockPair; before: States }[] = [];
  let chain: DevnetChain;

  beforeAll(async () => {
    const wallets = await devnetWallets("tonwire");
    const crowd = Array.from({ length: sized(130, 170) }, (_, index) => new TestWallet(`crowd ${index}`));
    const visitor = new TestWallet("visitor", "v3r2", -1);
    const story = [wallets.faucet, ...wallets.prefunded];
    chain = await openTestChain({
      seed: "tonwire",
      accounts: [
        ...story.map(({ wallet, balance }) => ({ address: wallet.address, balance })),
        ...funded([...crowd, visitor]),
      ],
    });
    const step = async () => {
      const before = { masterchain: chain.tip.masterchain.state, basechain: chain.tip.basechain.state };
      steps.push({ pair: (await chain.step()).pair, before });
    };
    const blocks = storyBlocks({ seed: "tonwire", wallets, time: 1_735_689_600 });
    for (const { messages } of blocks.slice(0, sized(5, blocks.length))) {
      for (const message of messages) await chain.sendTrusted(serializeBoc(message));
      await step();
    }
    // More messages than fit into a block, some of them to the masterchain and back.
    const payment = (to: TestWallet) => ({ to: to.address, value: ton / 10n, bounce: false });
    for (const [index, wallet] of crowd.entries()) {
      const others = [1, 2, 3].map((distance) => payment(crowd[(index + distance) % crowd.length]!));
      await chain.sendTrusted(wallet.pay(...others, payment(index % 10 === 0 ? visitor : wallet)));
    }
    const nobody = { to: new Address(0, new Uint8Array(32).fill(0xee)), value: ton / 10n, bounce: true };
    await chain.sendTrusted(visitor.pay(nobody, ...crowd.slice(0, 3).map(payment)));
    while (chain.hasWork) await step();
  });

  it("are valid, step by step", () => {
    let states = steps[0]!.before;
    for (const { pair } of steps) states = validateStep(pair, states, validatorsOf(chain));
    expect(states.masterchain.equals(chain.tip.masterchain.state)).toBe(true);
  });

  it("contain every kind of message record, and tick and tock transactions", () => {
    const kinds = new Set<string>();
    for (const { pair } of steps)
      for (const { root } of [pair.basechain, pair.masterchain]) {
        const extra = decode(Block, root).extra.value;
        for (const { kind } of extra.inMsgDescr.value.values()) kinds.add(kind);
        for (const { kind } of extra.outMsgDescr.value.values()) kinds.add(kind);
        for (const { value } of transactionsOf(extra.accountBlocks.value)) {
          const description = value.description.value;
          kinds.add(description.kind);
          if (description.kind === "ord" && description.bounce) kinds.add("bounce");
        }
      }
    expect([...kinds].sort()).toEqual([...recordKinds, "bounce", "ord", "tickTock"].sort());
  });

  it("preserve the total of money", () => {
    expect(supplyOf(steps[0]!.before)).toBe(supplyOf({ ...statesNow(chain) }));
  });

  it("leave empty queues", async () => {
    expect(chain.hasWork).toBe(false);
    expect(await settleDown(chain)).toBe(0);
  });

  it("have the transactions that @ton/core reads", () => {
    for (const { pair } of steps.slice(-sized(1, 3))) {
      const [core] = CoreCell.fromBoc(Buffer.from(pair.basechain.boc));
      expect(core!.hash().toString("hex")).toBe(Buffer.from(pair.basechain.id.rootHash).toString("hex"));
      for (const { cell, value } of transactionsOf(
        decode(Block, pair.basechain.root).extra.value.accountBlocks.value,
      )) {
        const [coreCell] = CoreCell.fromBoc(Buffer.from(serializeBoc(cell)));
        const transaction = coreLoadTransaction(coreCell!.beginParse());
        expect(transaction.hash().toString("hex")).toBe(cell.hashHex());
        expect({
          lt: transaction.lt,
          fees: transaction.totalFees.coins,
          out: transaction.outMessagesCount,
        }).toEqual({
          lt: value.lt,
          fees: value.totalFees.coins,
          out: value.outMsgCount,
        });
      }
    }
  });
});

function statesNow({ tip }: DevnetChain): States {
  return { masterchain: tip.masterchain.state, basechain: tip.basechain.state };
}
