import { beforeAll, describe, expect, it } from "vitest";
import type { Executor } from "../../../server/chain/executor/executor.js";
import { ForkedRetrace } from "../../../server/chain/retrace/forked-retrace.js";
import { Retrace } from "../../../server/chain/retrace/retrace.js";
import { serveChain } from "../../../server/chain/serve/serve.js";
import type { DevnetChain } from "../../../server/devnet/chain/devnet-chain.js";
import { forkAccess, networkApi } from "../../../server/devnet/control/fork-access.js";
import { forkedApi, provenForkApi } from "../../../server/devnet/control/forked-api.js";
import { createForkGenesis } from "../../../server/devnet/fork/fork-genesis.js";
import { ChainStore } from "../../../server/devnet/storage/chain-store.js";
import { ServedDevnet } from "../../../server/devnet/storage/served-devnet.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import { accountIn } from "../../../shared/ton/proofs/read/account.js";
import { ChainHead } from "../../../shared/ton/proofs/read/head.js";
import { OutsideAccounts } from "../../../shared/ton/proofs/read/outside.js";
import { ChainReader } from "../../../shared/ton/proofs/read/reader.js";
import type { TickTockRequest, TransactionRequest } from "../../../shared/ton/run/account-request.js";
import { Address } from "../../../shared/values/address.js";
import { funded, openTestChain, settleDown, TestWallet, ton } from "../../helpers/chain/devnet.js";
import { DevnetOrigin, openTestFork, settleFork } from "../../helpers/chain/devnet-origin.js";
import { liteserversOf, originFor } from "../../helpers/chain/fork-origin.js";
import { sharedExecutor } from "../../helpers/chain/shared-executor.js";
import { isLong, sized } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

const count = sized(200, 1000);

function numbered(number: number): Address {
  const hash = new Uint8Array(32).fill(7);
  new DataView(hash.buffer).setUint32(0, number * 4_000_000);
  return new Address(0, hash);
}

/** The executor of this thread as one of threads. */
const measured =
  <Request, Result extends object>(run: (request: Request) => Result) =>
  async (request: Request) =>
    Object.assign(run(request), { cpuMs: 0 });

describe("a fork of another devnet", () => {
  let executor: Executor;
  let network: DevnetChain;
  let storage: ChainStore;

  beforeAll(async () => {
    executor = await sharedExecutor();
    storage = new ChainStore();
    const accounts = [
      ...funded(
        ["ann", "ben", "cleo"].map((name) => new TestWallet(name)),
        5000n * ton,
      ),
      ...Array.from({ length: count }, (_, number) => ({
        address: numbered(number),
        balance: BigInt(number + 1) * ton,
      })),
    ];
    network = await openTestChain({ seed: "network", accounts, storage });
    await network.begin();
    await settleDown(network);
    return () => network.close();
  });

  const balanceOf = (chain: DevnetChain, { workchain, hash }: Address) =>
    chain.account(workchain, hash)?.account.value?.storage.balance.coins;
  const pay = (from: TestWallet, ...to: Address[]) =>
    from.pay(...to.map((each) => ({ to: each, value: ton, bounce: false })));

  const served = (store: ChainStore) =>
    serveChain(new ServedDevnet(store), {
      methods: {
        runMethod: async (request) => executor.runMethod(request),
        randomBytes: (size) => new Uint8Array(size),
      },
      sendMessage: () => Promise.reject(new Error("nothing is sent")),
      now: () => 1_800_000_000,
    });

  it("imports hundreds of accounts with one request each, many in a block", async () => {
    const ann = new TestWallet("ann");
    const origin = new DevnetOrigin(network);
    const fork = await openTestFork(origin);
    origin.asked.length = 0;
    const first = fork.head.seqno;
    for (let at = 0; at < count; at += 4)
      await fork.sendTrusted(pay(ann, ...Array.from({ length: 4 }, (_, index) => numbered(at + index))));
    await settleFork(fork);
    expect(new Set(origin.asked).size).toBe(count + 1);
    expect(origin.asked).toHaveLength(count + 1);
    expect(fork.head.seqno - first).toBeLessThan(30);
    for (let number = 0; number < count; number += 11)
      expect(balanceOf(fork, numbered(number))! / ton).toBe(BigInt(number + 1));
    await fork.close();
  });

  it("runs transactions of imported accounts again, and older ones by its network", async () => {
    const [ann, ben] = [new TestWallet("ann"), new TestWallet("ben")];
    await network.sendTrusted(pay(new TestWallet("cleo"), ann.address));
    await settleDown(network);
    const old = network.account(0, ann.address.hash)!;
    const origin = new DevnetOrigin(network, served(storage));
    const store = new ChainStore();
    const fork = await openTestFork(origin, { storage: store });
    await fork.sendMessage(pay(ann, ben.address));
    await settleFork(fork);
    const api = served(store);
    const threads = {
      runTransaction: measured((request: TransactionRequest) => executor.runTransaction(request)),
      runTickTock: measured((request: TickTockRequest) => executor.runTickTock(request)),
    };
    const retraceOn = (reader: ChainReader) => new Retrace({ reader, executor: threads });
    const outside = new OutsideAccounts(forkAccess(origin, fork));
    const head = new ChainHead(await api.getMasterchainInfo(), Date.now);
    const retrace = new ForkedRetrace({
      own: retraceOn(new ChainReader({ lite: api, head, outside })),
      network: networkApi(origin),
      startLt: () => origin.start.lt,
      retraceOn,
      now: Date.now,
    });
    const places = [ann, ben].map(({ address }) => ({
      address,
      lt: fork.account(0, address.hash)!.lastTransLt,
    }));
    for (const place of [...places, { address: ann.address, lt: old.lastTransLt }]) {
      const block = await retrace.find(place, {});
      const { level, transactions } = await retrace.block({ ...place, block }, { log: "gas" });
      expect(level).toBe("exact");
      expect(transactions.at(-1)!.found.transaction.lt).toBe(place.lt);
    }
    await fork.close();
  });

  it("is exported, imported by an equal fork, and restarted, all without the network", async () => {
    const [ann, ben] = [new TestWallet("ann"), new TestWallet("ben")];
    const folder = temporaryFolder();
    const origin = new DevnetOrigin(network);
    const fork = await openTestFork(origin, { storage: new ChainStore(folder) });
    await fork.sendMessage(pay(ann, ben.address));
    await settleFork(fork);
    const file = await fork.exclusive(() => fork.exportState(fork.head.seqno, []));
    const { head } = fork;
    const balance = balanceOf(fork, ben.address);
    await fork.close();
    origin.isGone = true;

    const again = await openTestFork(origin, { storage: new ChainStore(folder) });
    expect(again.head).toEqual(head);
    await again.sendMessage(pay(ben, ann.address));
    await settleFork(again);
    await again.close();

    const other = await openTestFork(origin);
    expect(await other.importState(file, () => {})).toEqual(head);
    expect(balanceOf(other, ben.address)).toBe(balance);
    await other.close();
  });

  it("has other zero states than a fork of another block", async () => {
    const origin = new DevnetOrigin(network);
    const options = { seed: "fork", accounts: [] };
    const [one, same] = [await createForkGenesis(origin, options), await createForkGenesis(origin, options)];
    expect(same.masterchain.id).toEqual(one.masterchain.id);
    const { start } = origin;
    Object.assign(origin, { start: { ...start, lt: start.lt + 1n } });
    expect((await createForkGenesis(origin, options)).masterchain.id).not.toEqual(one.masterchain.id);
  });

  it("gives clients that check proofs the network's proof, or refuses", async () => {
    const ann = new TestWallet("ann");
    await network.sendMessage(pay(ann, ann.address));
    await settleDown(network);
    const lite = served(storage);
    const { config } = await liteserversOf(lite);
    const origin = await originFor({ kind: "liteservers", name: "network", config });
    const store = new ChainStore();
    const fork = await openTestFork(origin, { storage: store });
    const api = provenForkApi(forkedApi(served(store), origin), origin);
    const { last } = await api.getMasterchainInfo();
    const account = { workchain: 0, id: ann.address.hash };
    const request = { id: last, account, proof: true };
    const theirs = await lite.getAccountState({ ...request, id: origin.start.block });
    expect(await api.getAccountState(request)).toEqual(theirs);
    const method = { ...request, methodId: 85143n, params: new Uint8Array(0), result: true };
    await expect(api.runSmcMethod(method)).rejects.toThrow("run its get-methods over HTTP");
    const absent = { ...request, account: { workchain: 0, id: new Uint8Array(32).fill(9) } };
    expect(await api.getAccountState(absent)).toMatchObject({ id: last, state: new Uint8Array(0) });
    await fork.sendMessage(pay(ann, ann.address));
    await settleFork(fork);
    const { last: later } = await api.getMasterchainInfo();
    const own = await api.getAccountState({ ...request, id: later });
    expect(own.id).toEqual(later);
    expect(own.state).not.toEqual(theirs.state);
    const { lt, hash } = accountIn(theirs, theirs.id, ann.address).lastTransaction;
    const earlier = { count: 20, account, lt, hash };
    const list = await api.getTransactions(earlier);
    expect(list).toEqual(await lite.getTransactions({ ...earlier, count: 16 }));
    expect(list.ids.length).toBeGreaterThan(0);
    // The origin repeats such a request for ten seconds.
    if (isLong) await expect(api.getTransactions({ ...earlier, hash: new Uint8Array(32) })).rejects.toThrow();

    const everything = { payments: [{ to: numbered(1), value: 0n, bounce: false }], sendMode: 160 };
    const order = ann.wallet.order({ seqno: 2, validUntil: 0xffffffff, ...everything });
    await fork.sendMessage(serializeBoc(order));
    await settleFork(fork);
    const { last: newest } = await api.getMasterchainInfo();
    const destroyed = await api.getAccountState({ ...request, id: newest });
    expect(destroyed.id).toEqual(newest);
    const { cell, lastTransaction } = accountIn(destroyed, newest, ann.address);
    expect(cell).toBeUndefined();
    expect(lastTransaction.lt).toBeGreaterThan(lt);
    await fork.close();
  });

  it("refuses clients that check proofs what a network without liteservers cannot prove", async () => {
    const store = new ChainStore();
    const fork = await openTestFork(new DevnetOrigin(network), { storage: store });
    const api = provenForkApi(served(store), new DevnetOrigin(network));
    const { last } = await api.getMasterchainInfo();
    const account = { workchain: 0, id: numbered(5).hash };
    const request = { id: last, account, proof: true };
    const method = { ...request, methodId: 85143n, params: new Uint8Array(0), result: true };
    const refusals = [
      [api.getAccountState(request), "which gives no proofs here: read it over HTTP"],
      [api.getAccountStatePrunned(request), "which gives no proofs here: read it over HTTP"],
      [api.runSmcMethod(method), "run its get-methods over HTTP"],
      [
        api.getTransactions({ count: 1, account, lt: 1n, hash: new Uint8Array(32) }),
        "the transaction is before the fork, whose network has no liteservers here: read it over HTTP",
      ],
    ] as const;
    for (const [answer, reason] of refusals)
      await expect(answer).rejects.toMatchObject({
        code: liteErrorCode.failure,
        message: expect.stringContaining(reason),
      });
    await fork.close();
  });
});
