import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { ChainSide } from "../../../server/devnet/collate/chain-side.js";
import { forkAccess } from "../../../server/devnet/control/fork-access.js";
import { minerOf } from "../../../server/devnet/control/miner.js";
import { balanceEdit } from "../../../server/devnet/genesis/account-edits.js";
import type { StoredPair } from "../../../server/devnet/storage/chain-records.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { ExtraCurrencyCollection } from "../../../shared/ton/tlb/currency-collection.js";
import { Address } from "../../../shared/values/address.js";
import {
  funded,
  openTestChain,
  settleDown,
  TestWallet,
  ton,
  validatorsOf,
} from "../../helpers/chain/devnet.js";
import { DevnetOrigin, openTestFork, settleFork } from "../../helpers/chain/devnet-origin.js";
import { ManualTimers } from "../../helpers/manual-timers.js";
import { type States, validateStep } from "../collate/validate-step.js";

const stranger = new Address(0, new Uint8Array(32).fill(9));

const newWallets = () => ({
  ann: new TestWallet("ann"),
  ben: new TestWallet("ben"),
  cleo: new TestWallet("cleo"),
  max: new TestWallet("max", "v4r2", -1),
});

describe("a fork", () => {
  let network: DevnetChain;
  let origin: DevnetOrigin;
  let timers: ManualTimers;
  let storage: ChainStore;
  let fork: DevnetChain;
  /** The wallets as of the fork block. */
  let owners: ReturnType<typeof newWallets>;

  beforeAll(async () => {
    const all = Object.values(newWallets());
    network = await openTestChain({ seed: "network", accounts: funded(all) });
    await network.begin();
    for (const wallet of all) await network.sendMessage(wallet.pay({ to: wallet.address, value: ton }));
    await settleDown(network);
  });
  afterAll(() => network.close());

  beforeEach(async () => {
    owners = newWallets();
    for (const wallet of Object.values(owners)) wallet.pay();
    origin = new DevnetOrigin(network);
    timers = new ManualTimers();
    storage = new ChainStore();
    fork = await openTestFork(origin, { storage, timers });
    origin.asked.length = 0;
  });
  afterEach(() => fork.close());

  const balanceOf = (chain: DevnetChain, { workchain, hash }: Address) =>
    chain.account(workchain, hash)?.account.value?.storage.balance.coins;
  const pay = (from: TestWallet, ...to: Address[]) =>
    from.pay(...to.map((each) => ({ to: each, value: ton, bounce: false })));
  const raw = (...wallets: TestWallet[]) => wallets.map(({ address }) => address.toRaw()).sort();

  /** Validates all blocks of the fork. */
  async function validate(): Promise<void> {
    let states: States = (await storage.statesAt(0))!;
    for (let seqno = 1; seqno <= fork.head.seqno; seqno++) {
      const [pair, after] = [await storage.pair(seqno), (await storage.statesAt(seqno))!];
      const { roots, ...stored }: StoredPair & { roots: States } = pair;
      const made = (chain: keyof States) => ({ ...stored[chain], root: roots[chain], state: after[chain] });
      const blocks = { masterchain: made("masterchain"), basechain: made("basechain") };
      states = validateStep({ ...stored, ...blocks, edited: [] }, states, validatorsOf(fork));
    }
  }

  it("begins with the configuration of the network and its own validators, the same each time", async () => {
    const own = fork.masterchain.master.config.config.value;
    const theirs = network.masterchain.master.config.config.value;
    for (const [number, value] of theirs.entries())
      if (![32, 34].includes(number)) expect(own.get(number)!.equals(value), `${number}`).toBe(true);
    expect(own.get(34)!.equals(theirs.get(34)!)).toBe(false);
    expect(fork.genesis.globalId).toBe(network.genesis.globalId);
    expect(fork.masterchain.state.genLt).toBeGreaterThan(origin.start.lt);
    const again = await openTestFork(new DevnetOrigin(network));
    expect(again.head).toEqual(fork.head);
    await again.close();
  });

  it("imports the accounts that messages reach, each with one request, in valid blocks", async () => {
    const { ann, ben, max } = owners;
    await fork.sendMessage(pay(ann, ben.address, max.address, stranger));
    expect(balanceOf(fork, ann.address)).toBeUndefined();
    await settleFork(fork);
    expect(origin.asked.sort()).toEqual([...raw(ann, ben, max), stranger.toRaw()].sort());
    for (const { address } of [ben, max]) {
      const gain = balanceOf(fork, address)! - balanceOf(network, address)!;
      expect(gain > (ton * 9n) / 10n && gain <= ton).toBe(true);
    }
    expect(balanceOf(fork, stranger)).toBeGreaterThan((ton * 9n) / 10n);
    expect(balanceOf(fork, owners.cleo.address)).toBeUndefined();
    await validate();
  });

  it("refuses a message like the network does, and imports nothing for it", async () => {
    const { cleo } = owners;
    const late = pay(cleo, stranger);
    await expect(fork.sendMessage(pay(cleo, stranger))).rejects.toThrow(/exitcode=33/);
    expect(fork.fork!.imports.waiting).toBe(0);
    await fork.sendMessage(late);
  });

  it("asks for no account of another workchain", async () => {
    const elsewhere = new Address(5, stranger.hash);
    expect(fork.fork!.imports.isAtHand(elsewhere)).toBe(true);
    expect(await fork.fork!.imports.read(elsewhere, [])).toEqual({
      account: undefined,
      libraries: [],
    });
    expect(origin.asked).toEqual([]);
  });

  it("imports an account before it is edited, and before a message in its name reaches it", async () => {
    const { ben, cleo } = owners;
    await fork.step({ edits: [balanceEdit(cleo.address, 5n * ton)] });
    expect(balanceOf(fork, cleo.address)).toBe(5n * ton);
    await fork.sendMessage(pay(cleo, stranger));
    const { injected } = await fork.inject({
      ...{ from: stranger, to: ben.address, value: ton, bounce: false },
    });
    expect(injected[0]!.transaction.value.prevTransLt).toBe(origin.at(ben.address)!.lastTransLt);
    await settleFork(fork);
    await validate();
  });

  it("does not import an account again that it has destroyed", async () => {
    const { ann, ben } = owners;
    const everything = { payments: [{ to: ben.address, value: 0n, bounce: false }], sendMode: 160 };
    const order = ann.wallet.order({ seqno: 1, validUntil: 0xffffffff, ...everything });
    await fork.sendMessage(serializeBoc(order));
    await settleFork(fork);
    expect(fork.account(0, ann.address.hash)).toBeUndefined();
    await fork.sendMessage(pay(ben, ann.address));
    await settleFork(fork);
    const now = fork.account(0, ann.address.hash)!.account.value!;
    expect(now.storage.state.kind).toBe("uninit");
    expect(now.storage.balance.coins).toBeLessThan(2n * ton);
    expect(origin.asked.filter((each) => each === ann.address.toRaw())).toHaveLength(1);
    await validate();
  });

  it("imports from its cache again after it went back", async () => {
    const { ann, ben } = owners;
    const order = pay(ann, ben.address);
    const { seqno } = fork.head;
    await fork.sendMessage(order);
    await settleFork(fork);
    const after = balanceOf(fork, ben.address);
    await fork.exclusive((revert) => revert(seqno));
    expect(balanceOf(fork, ben.address)).toBeUndefined();
    origin.isGone = true;
    await fork.sendMessage(order);
    await settleFork(fork);
    expect(balanceOf(fork, ben.address)).toBe(after);
    await fork.restart(() => {});
    expect(balanceOf(fork, ben.address)).toBeUndefined();
    await validate();
  });

  it("continues without the messages that wait for a network that is gone, and delivers them later", async () => {
    const { ann, ben, cleo } = owners;
    await fork.sendMessage(pay(cleo, cleo.address));
    await settleFork(fork);
    await fork.sendMessage(pay(ann, ann.address));
    await settleFork(fork);
    origin.isGone = true;
    await expect(fork.sendMessage(pay(ben, stranger))).rejects.toMatchObject({
      code: liteErrorCode.notReady,
      message: "the forked network does not answer: the origin is gone",
    });
    await expect(fork.step({ edits: [balanceEdit(ben.address, ton)] })).rejects.toMatchObject({
      kind: "unavailable",
    });
    await fork.sendMessage(pay(ann, ben.address));
    await fork.step();
    await expect(fork.fork!.imports.settled()).rejects.toThrow("the origin is gone");
    await fork.step();
    expect(fork.hasWork).toBe(true);
    expect(fork.canWork).toBe(false);
    await fork.sendMessage(pay(cleo, cleo.address));
    expect(fork.canWork).toBe(true);
    const { seqno } = fork.head;
    const { deliveries } = await fork.step();
    expect(deliveries.map(({ destination }) => destination.toRaw())).toEqual(raw(cleo));
    expect(fork.head.seqno).toBe(seqno + 1);

    origin.isGone = false;
    const back = new Promise<void>((resolve) => void fork.fork!.imports.progress.add(() => resolve()));
    timers.pass(60_000);
    await back;
    expect(fork.canWork).toBe(true);
    await settleFork(fork);
    expect(balanceOf(fork, ben.address)!).toBeGreaterThan(balanceOf(network, ben.address)!);
    await validate();
  });

  it("keeps the extra currencies of an account that it imports, in valid blocks", async () => {
    const { ann, ben } = owners;
    const extra = ExtraCurrencyCollection.empty.set(7, 100n);
    const entry = origin.at(ann.address)!;
    const account = entry.account.value!;
    const { storage } = account;
    const balance = { ...storage.balance, extra };
    const rich = CellOf.of(Account, { ...account, storage: { ...storage, balance } });
    origin.placed.set(ann.address.toRaw(), { ...entry, account: rich });
    await fork.sendMessage(pay(ann, ben.address));
    await settleFork(fork);
    const now = fork.account(0, ann.address.hash)!.account.value!.storage;
    expect([...now.balance.extra.entries()]).toEqual([[7, 100n]]);
    expect(now.balance.coins).toBeLessThan(storage.balance.coins - ton);
    await validate();
  });

  it("has as many accounts as messages have reached, however many are read", async () => {
    const { ann, ben } = owners;
    const count = () => [...new ChainSide(fork.tip.basechain).state.accounts.value.keys()].length;
    const before = count();
    const reads = forkAccess(origin, fork);
    const hash = (byte: number) => new Uint8Array(32).fill(byte);
    for (let byte = 1; byte < 200; byte++) await reads.account({ workchain: 0, id: hash(byte) });
    await fork.step();
    expect(count()).toBe(before);
    await fork.sendMessage(pay(ann, ben.address, stranger));
    await settleFork(fork);
    expect(count()).toBe(before + 3);
    expect(fork.fork!.imports.waiting).toBe(0);
  });

  it("imports what a read has found in a block that puts off no other, and once", async () => {
    const { ann, ben } = owners;
    const idOf = ({ address: { workchain, hash: id } }: TestWallet) => ({ workchain, id });
    let nowMs = 0;
    const environment = { nowMs: () => nowMs, onError: (error: unknown) => expect(error).toBeUndefined() };
    const miner = minerOf(fork, { mode: "interval", intervalMs: 1000 }, environment);
    nowMs = 600;
    const { lastUtime } = fork;
    const { seqno } = fork.head;
    const access = forkAccess(origin, fork);
    const block = await access.importAccounts([ann, ben].map(idOf));
    expect(block).toEqual(fork.head);
    expect(block.seqno).toBe(seqno + 1);
    expect(fork.isAtImport).toBe(true);
    expect(fork.lastUtime).toBe(lastUtime);
    expect(balanceOf(fork, ann.address)).toBe(balanceOf(network, ann.address));
    expect(miner.msUntilBlock).toBe(400);
    expect(await access.importAccounts([ben, ann].map(idOf))).toEqual(block);
    await fork.step();
    expect(fork.isAtImport).toBe(false);
    expect(miner.msUntilBlock).toBe(1000);
    await validate();
  });

  it("imports nothing for a read if the network does not answer, or beyond a number of accounts", async () => {
    const access = forkAccess(origin, fork);
    const { head } = fork;
    origin.isGone = true;
    const ids = Array.from({ length: 20_001 }, (_, n) => {
      const id = Buffer.alloc(32, 0x55);
      id.writeUInt32BE(n);
      return { workchain: 0, id };
    });
    const refusal = (message: string) => ({
      code: liteErrorCode.notReady,
      message: expect.stringContaining(message),
    });
    await expect(access.importAccounts(ids)).rejects.toMatchObject(refusal("of at most 20000"));
    await expect(access.importAccounts(ids.slice(0, 1))).rejects.toMatchObject(refusal("does not answer"));
    expect(fork.head).toEqual(head);
  });

  it("makes blocks while the network is slow", async () => {
    const { ann, ben } = owners;
    await fork.sendMessage(pay(ann, ben.address));
    const release = origin.hold();
    const heads = [await fork.step(), await fork.step(), await fork.step()];
    expect(heads.at(-1)!.deliveries).toEqual([]);
    expect(balanceOf(fork, ben.address)).toBeUndefined();
    expect(fork.fork!.imports.waiting).toBe(1);
    release();
    await settleFork(fork);
    expect(balanceOf(fork, ben.address)).toBeGreaterThan(balanceOf(network, ben.address)!);
    await validate();
  });
});
