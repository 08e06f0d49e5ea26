import { describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../../server/devnet/chain/devnet-chain.js";
import type { StateEdit } from "../../../../server/devnet/collate/block/edits.js";
import { balanceEdit, codeEdit, dataEdit } from "../../../../server/devnet/genesis/account-edits.js";
import { configAddress, electorAddress } from "../../../../server/devnet/genesis/initial-config.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { Block } from "../../../../shared/ton/tlb/block.js";
import { CellOf } from "../../../../shared/ton/tlb/cell-of.js";
import { decode, encode } from "../../../../shared/ton/tlb/codec.js";
import {
  type ConfigNumber,
  type ConfigValue,
  configParam,
  encodeConfigParam,
} from "../../../../shared/ton/tlb/config/config-param.js";
import type { SizeLimitsConfig } from "../../../../shared/ton/tlb/config/size-limits.js";
import { ConfigDictionary } from "../../../../shared/ton/tlb/config-params.js";
import {
  type CurrencyCollection,
  ExtraCurrencyCollection,
} from "../../../../shared/ton/tlb/currency-collection.js";
import type { McBlockExtra } from "../../../../shared/ton/tlb/mc-block-extra.js";
import { composeMessageRelaxed, MessageRelaxed } from "../../../../shared/ton/tlb/message.js";
import { encodeOutList, type OutAction } from "../../../../shared/ton/tlb/out-action.js";
import { shardAt } from "../../../../shared/ton/tlb/shard-hashes.js";
import { ShardStateUnsplit } from "../../../../shared/ton/tlb/shard-state.js";
import type { StateInit } from "../../../../shared/ton/tlb/state-init.js";
import { Address } from "../../../../shared/values/address.js";
import { funded, openTestChain, TestWallet, ton, validatorsOf } from "../../../helpers/chain/devnet.js";
import { isLong } from "../../../helpers/effort.js";
import { validateStep } from "../validate-step.js";

function masterState(chain: DevnetChain): ShardStateUnsplit {
  return decode(ShardStateUnsplit, chain.tip.masterchain.state);
}

function configOf(chain: DevnetChain): ConfigDictionary {
  return masterState(chain).custom!.value.config.config.value;
}

/** Replaces the configuration in the configuration contract's data. */
function configEdit(chain: DevnetChain, config: ConfigDictionary): StateEdit {
  const { init } = chain.account(-1, configAddress.hash)!.account.value!.storage.state as { init: StateInit };
  const rest = init.data!.parse();
  rest.loadRef();
  const data = beginCell().storeRef(encode(ConfigDictionary, config)).storeSlice(rest).endCell();
  return dataEdit(configAddress, data);
}

function withParam<N extends ConfigNumber>(config: ConfigDictionary, number: N, value: ConfigValue<N>) {
  return config.set(number, encodeConfigParam(number, value));
}

/** Makes and validates a step; returns it with the masterchain part of its block. */
async function step(chain: DevnetChain, request: Parameters<DevnetChain["step"]>[0] = {}) {
  const before = { masterchain: chain.tip.masterchain.state, basechain: chain.tip.basechain.state };
  const { pair } = await chain.step(request);
  validateStep(pair, before, validatorsOf(chain));
  const block = decode(Block, pair.masterchain.root);
  return { pair, block, extra: block.extra.value.custom!.value as McBlockExtra };
}

describe("the masterchain of a devnet", () => {
  it("makes a key block at first and for every change of the configuration, and only then", async () => {
    const chain = await openTestChain();
    expect((await step(chain)).pair.keyBlock).toBe(true);
    expect((await step(chain)).pair.keyBlock).toBe(false);
    const changed = withParam(configOf(chain), 19, 12345);
    const { pair, block, extra } = await step(chain, { edits: [configEdit(chain, changed)] });
    expect(pair.keyBlock).toBe(true);
    expect(block.info.value).toMatchObject({ keyBlock: true, prevKeyBlockSeqno: 1, genCatchainSeqno: 1 });
    expect(configParam(extra.config!.config.value, 19)).toBe(12345);
    expect(masterState(chain).custom!.value.history.value).toMatchObject({
      afterKeyBlock: true,
      validatorInfo: { catchainSeqno: 2, nxCcUpdated: true },
    });
    const next = await step(chain);
    expect(next.pair.keyBlock).toBe(false);
    expect(next.block.info.value).toMatchObject({ prevKeyBlockSeqno: 3, genCatchainSeqno: 2 });
    const history = masterState(chain).custom!.value.history.value;
    expect(history.lastKeyBlock).toMatchObject({ seqno: 3, rootHash: pair.masterchain.id.rootHash });
    expect(history.prevBlocks.get(3)!.key).toBe(true);
    expect(shardAt(masterState(chain).custom!.value.shardHashes, 0, 0n)!.descr.nextCatchainSeqno).toBe(2);
  });

  it("contains the signatures of the previous block", async () => {
    const chain = await openTestChain();
    const first = await step(chain);
    expect(first.extra.details.value.prevBlkSignatures.root).toBeUndefined();
    const { extra } = await step(chain);
    expect([...extra.details.value.prevBlkSignatures.values()]).toEqual([
      {
        nodeIdShort: first.pair.signatures.signatures[0]!.nodeIdShort,
        sign: { kind: "simple", signature: first.pair.signatures.signatures[0]!.signature },
      },
    ]);
  });

  it("recovers fees to the elector once they reach the threshold", async () => {
    const wallet = new TestWallet("payer", "v3r2", -1);
    const chain = await openTestChain({ accounts: funded([wallet]) });
    const electorBalance = () => chain.account(-1, electorAddress.hash)!.account.value!.storage.balance.coins;
    const atFirst = electorBalance();
    let recovered = 0n;
    for (let order = 0; order < 30 && (isLong || recovered === 0n); order++) {
      await chain.sendMessage(wallet.pay({ to: wallet.address, value: ton }));
      const { block, extra } = await step(chain);
      const amount = block.valueFlow.value.recovered.coins;
      expect(extra.details.value.recoverCreateMsg !== undefined).toBe(amount > 0n);
      if (amount > 0n) expect(amount).toBeGreaterThanOrEqual(ton);
      recovered += amount;
    }
    expect(recovered).toBeGreaterThan(0n);
    expect(electorBalance() - atFirst).toBe(recovered);
  });

  it("creates rewards if enabled, and includes them in the global balance", async () => {
    const chain = await openTestChain({ rewards: true });
    const before = masterState(chain).custom!.value.globalBalance.coins;
    const { block, pair } = await step(chain);
    expect(block.valueFlow.value.created.coins).toBe((17n * ton) / 10n);
    expect(decode(Block, pair.basechain.root).valueFlow.value.created.coins).toBe(ton);
    expect(masterState(chain).custom!.value.globalBalance.coins - before).toBe((27n * ton) / 10n);
  });

  it("burns the configured part of the fees, and coins sent to the blackhole account", async () => {
    const wallet = new TestWallet("payer");
    const chain = await openTestChain({ accounts: funded([wallet]) });
    const blackhole = new Address(-1, new Uint8Array(32).fill(0xff));
    const burning = { blackholeAddr: blackhole.hash, feeBurnNum: 1, feeBurnDenom: 2 };
    await step(chain, { edits: [configEdit(chain, withParam(configOf(chain), 5, burning))] });
    await chain.sendMessage(wallet.pay({ to: blackhole, value: 5n * ton, bounce: false }));
    const { block } = await step(chain);
    const { burned, feesCollected, feesImported } = block.valueFlow.value;
    const burnedFees = burned!.coins - 5n * ton;
    expect(burnedFees).toBeGreaterThanOrEqual(feesImported.coins / 2n);
    // The half that is burned is rounded down.
    expect([0n, 1n]).toContain(feesCollected.coins - burnedFees);
    expect(chain.account(-1, blackhole.hash)?.account.value?.storage.balance.coins ?? 0n).toBe(0n);
  });

  it("mints extra currencies, which can be sent in messages", async () => {
    const chain = await openTestChain();
    const [minter, friend] = [
      new Address(-1, new Uint8Array(32).fill(0x77)),
      new TestWallet("friend").address,
    ];
    const gift = { coins: ton, extra: ExtraCurrencyCollection.empty.set(100, 700n) };
    const edits = [
      balanceEdit(minter, 10n * ton),
      codeEdit(minter, storesActions(encodeOutList([sending(friend, gift)]))),
    ];
    await step(chain, { edits });
    // A special account has gas although the message of the mint carries no nanotons.
    let config = withParam(configOf(chain), 31, configParam(configOf(chain), 31)!.set(minter.hash, true));
    config = withParam(config, 2, minter.hash);
    config = withParam(config, 7, ExtraCurrencyCollection.empty.set(100, 777n));
    // Messages of mainnet have none.
    config = withParam(config, 43, {
      ...configParam(config, 43)!,
      maxMsgExtraCurrencies: 1,
    } as SizeLimitsConfig);
    await step(chain, { edits: [configEdit(chain, config)] });
    const { extra, block } = await step(chain);
    expect(extra.details.value.mintMsg).toBeDefined();
    expect([...block.valueFlow.value.minted.extra.entries()]).toEqual([[100, 777n]]);
    expect((await step(chain)).extra.details.value.mintMsg).toBeUndefined();
    while (chain.hasWork) await step(chain);
    const extraOf = ({ workchain, hash }: Address) =>
      chain.account(workchain, hash)!.account.value!.storage.balance.extra.get(100);
    expect([extraOf(minter), extraOf(friend)]).toEqual([77n, 700n]);
  });

  it("publishes and withdraws the libraries of its accounts", async () => {
    const chain = await openTestChain();
    const library = beginCell().storeUint(0xbeef, 16).endCell();
    const account = new Address(-1, new Uint8Array(32).fill(0x77));
    const publish = (mode: number) => {
      const action: OutAction = { kind: "changeLibrary", mode, libref: { kind: "ref", library } };
      return storesActions(encodeOutList([action]));
    };
    const speak = { from: account, to: account, value: ton, bounce: false };
    const libraries = () => masterState(chain).totals.value.libraries;
    const ofDevnet = [...libraries().keys()];
    const run = async (code: Cell) => {
      await step(chain, { edits: [codeEdit(account, code)] });
      await step(chain, { injected: [speak] });
    };
    await run(publish(2));
    expect([...libraries().delete(library.hash()).keys()]).toEqual(ofDevnet);
    expect([...libraries().get(library.hash())!.publishers.keys()]).toEqual([account.hash]);
    await run(publish(0));
    expect([...libraries().keys()]).toEqual(ofDevnet);
  });

  it("counts the blocks of its validator if the configuration enables it", async () => {
    const chain = await openTestChain();
    const setting = (capabilities: bigint) => ({
      edits: [configEdit(chain, withParam(configOf(chain), 8, { version: 13, capabilities }))],
    });
    const statsOf = () => masterState(chain).custom!.value.history.value.blockCreateStats;
    await step(chain, setting(108n));
    await step(chain, setting(110n));
    expect(statsOf()).toBeUndefined();
    await step(chain);
    await step(chain, { utime: 1_735_689_600 + 3000 });
    const stats = statsOf()!;
    const { mcBlocks, shardBlocks } = stats.counters.get(validatorsOf(chain)[0]!)!;
    expect(mcBlocks).toEqual(shardBlocks);
    expect(mcBlocks.total).toBe(2n);
    const expected = 1 + Math.exp(-(mcBlocks.lastUpdated - 1_735_689_603) / 2048);
    expect(Number(mcBlocks.cnt2048) / 2 ** 32).toBeCloseTo(expected, 8);
  });
});

function sending(dest: Address, value: CurrencyCollection): OutAction {
  const info = {
    kind: "internal",
    ihrDisabled: true,
    bounce: false,
    bounced: false,
    src: undefined,
    dest,
    value,
    extraFlags: 0n,
    fwdFee: 0n,
    createdLt: 0n,
    createdAt: 0,
  } as const;
  return { kind: "sendMsg", mode: 1, outMsg: CellOf.of(MessageRelaxed, composeMessageRelaxed({ info })) };
}

/** Code that sets a given list of actions: `PUSHREF; POPCTR c5`. */
function storesActions(actions: Cell): Cell {
  return beginCell().storeUint(0x88, 8).storeRef(actions).storeUint(0xed55, 16).endCell();
}
