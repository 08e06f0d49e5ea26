import { type Address, internal, type Sender, SendMode, toNano } from "@ton/core";
import { mnemonicToWalletKey } from "@ton/crypto";
import { TonClient, WalletContractV4 } from "@ton/ton";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";

import type { Config } from "../../server/config/settings.js";
import { startDevnet } from "../../server/process/workers/devnet-library.js";
import { lockNumbers } from "../../server/store/sql/locks.js";
import { Counter, endlessContract, stateInitBoc } from "../helpers/contracts/counter.js";
import { isLong, sized, variants } from "../helpers/effort.js";
import { freePort } from "../helpers/free-port.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { prefundedWallet } from "../helpers/services/devnet-wallet.js";
import { describePostgres } from "../helpers/store/describe-databases.js";
import { openPatiently } from "../helpers/store/postgres.js";
import { until } from "../helpers/until.js";

// An answer means that the write is done: no test here waits before reading.

type Receipt = { tx_hash: string; block: { seqno: number }; settled: boolean };
type Settlement = { settled: boolean; waiting: { messages: number; queued: number; blocks: number } };
type Listed = { transactions: { hash: string; account: string }[] };

/** A change of the chain by a snapshot or an exported state. */
type Change = [what: string, change: (id: string, state: string) => Promise<unknown>];

const someone = `0:${"5A".repeat(32)}`;

/** Answers that should come wait for as long as a busy machine needs. */
function start(settings: Partial<Config>, settleMs = 90_000): Promise<DevnetService> {
  return startDevnetService({ index: true, clock: "wall", ...settings }, { settleMs });
}

/** A devnet wallet in @ton/ton, which reads the seqno before each message, as its wrappers do. */
async function openWallet(service: DevnetService) {
  const client = new TonClient({ endpoint: `${service.url}/api/v2/jsonRPC`, apiKey: service.key });
  const { publicKey, secretKey } = await prefundedWallet(service, "v4r2");
  const wallet = client.open(WalletContractV4.create({ workchain: 0, publicKey }));
  return { client, wallet, sender: wallet.sender(secretKey), secretKey };
}

const transactionsOf = (service: DevnetService, hash: string) =>
  service.run<Listed>("v3.transactions", { hash: [hash] });

/** A message to a contract that continues endlessly. */
async function beginEndless(service: DevnetService): Promise<Receipt> {
  const { address: to, code, stateInit: state_init } = await endlessContract();
  const from = someone.replace("0:", "-1:");
  await service.run("devnet.setCode", { address: from, code });
  return service.run("devnet.impersonate", { from, to, value: "1000000000000", state_init });
}

/** Of all tests here except those with a deadline of their own or without an index. */
let service: DevnetService;
beforeAll(async () => {
  service = await start({ mining: "message", adminPort: await freePort() });
});
afterAll(() => service?.close());

/** Until the end of the test. */
async function setMining(mode: string, interval_ms?: number): Promise<void> {
  onTestFinished(async () => void (await service.run("devnet.setMining", { mode: "message" })));
  await service.run("devnet.setMining", { mode, interval_ms });
}

describe("in mining mode message", () => {
  it("contracts answer their messages, every time, in two styles", async () => {
    const { client, wallet, sender } = await openWallet(service);
    const value = toNano("0.05");
    // As in Blueprint's scripts: the provider has the sender and determines whether the contract is deployed.
    const provider = {
      sender: (): Sender => sender,
      isDeployed: (at: Address) => client.isContractDeployed(at),
    };
    const styles = [
      async (counter: Counter) => {
        const opened = client.open(counter);
        expect(await provider.isDeployed(counter.address)).toBe(false);
        await opened.sendDeploy(provider.sender(), value);
        expect(await provider.isDeployed(counter.address)).toBe(true);
        await opened.sendIncrease(provider.sender(), value, 4);
        expect(await opened.getCounter()).toBe(4);
      },
      // As in sandbox tests: a message in an account's name, whose outcome is the answer.
      async (counter: Counter) => {
        const { tx_hash, settled, status } = await service.run<
          Receipt & { status: { status: string; success: boolean; transaction: { hash: string } } }
        >("devnet.impersonate", {
          from: someone,
          to: counter.address.toString(),
          value: `${value}`,
          state_init: stateInitBoc(counter.init),
          body: Counter.increase(5).toBoc().toString("base64"),
          status: true,
        });
        expect([settled, status.status, status.success]).toEqual([true, "completed", true]);
        const { transactions } = await transactionsOf(service, tx_hash);
        expect(transactions.map(({ hash }) => hash)).toEqual([tx_hash]);
        expect(status.transaction.hash).toBe(tx_hash);
        const { traces } = await service.run<{ traces: unknown[] }>("v3.traces", {
          tx_hash: [tx_hash],
          include_actions: true,
        });
        expect(traces).toMatchObject([
          {
            trace_info: {
              trace_state: "complete",
              classification_state: "ok",
              messages: 1,
              pending_messages: 0,
            },
            // In no order: both have the same times.
            actions: expect.arrayContaining(
              ["contract_deploy", "call_contract"].map((type) =>
                expect.objectContaining({
                  type,
                  success: true,
                  details: expect.objectContaining({ source: someone }),
                }),
              ),
            ),
          },
        ]);
        expect(await client.open(counter).getCounter()).toBe(5);
      },
    ];
    const seqno = await wallet.getSeqno();
    const rounds = sized(2, 20);
    for (let round = 0; round < rounds; round++) await styles[round % 2]!(await Counter.make(round));
    // The second style has no wallet.
    expect(await wallet.getSeqno()).toBe(seqno + rounds);
  });

  it("v3 and its cached answers have a transaction as soon as it is answered", async () => {
    for (let round = 0; round < sized(1, 10); round++) {
      // Cached until the index changes.
      const before = await service.run<Listed>("v3.transactions", { account: [someone], limit: 1000 });
      const { tx_hash, settled } = await service.run<Receipt>("devnet.faucet", { address: someone });
      expect(settled).toBe(true);
      const { transactions } = await transactionsOf(service, tx_hash);
      expect(transactions.map(({ account }) => account)).toEqual([someone]);
      const after = await service.run<Listed>("v3.transactions", { account: [someone], limit: 1000 });
      expect(after.transactions).toHaveLength(before.transactions.length + 1);
    }
  });

  it("an answer comes behind the events of its trace on the same socket", async () => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/jsonRPC`, {
      headers: { "X-API-Key": service.key },
    });
    onTestFinished(() => socket.close());
    const frames: { id?: number; method?: string }[] = [];
    socket.on("message", (data) => frames.push(JSON.parse(String(data))));
    const ask = (id: number, method: string, params: object) =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    const answered = (id: number) => until(`answer ${id}`, () => frames.some((frame) => frame.id === id));
    await new Promise((resolve) => socket.once("open", resolve));
    ask(1, "subscribe", { kind: "transactions", accounts: [someone] });
    await answered(1);
    for (let id = 2; id < 2 + sized(2, 10); id++) {
      ask(id, "devnet.faucet", { address: someone });
      await answered(id);
      const own = frames.findIndex((frame) => frame.id === id);
      const events = frames.slice(0, own).filter((frame) => JSON.stringify(frame).includes('"in_msg"'));
      expect(events).toHaveLength(id - 1);
    }
  });

  it("a caller does not wait for its own full socket", async () => {
    const socket = new WebSocket(`${service.url.replace("http", "ws")}/jsonRPC`, {
      headers: { "X-API-Key": service.key },
    });
    onTestFinished(() => socket.terminate());
    const answers = new Map<number, { result: unknown }>();
    socket.on("message", (data) => {
      const { id, ...answer } = JSON.parse(String(data));
      if (id !== undefined) answers.set(id, answer);
    });
    await new Promise((resolve) => socket.once("open", resolve));
    const ask = (id: number, method: string, params: object) =>
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    ask(1, "subscribe", { kind: "transactions" });
    await until("the subscription", () => answers.has(1));
    socket.pause();
    const other = `0:${"5B".repeat(32)}`;
    // The answers before it are more than the buffers of a socket and the mebibyte of a subscription hold.
    for (let id = 2; id < 12; id++) ask(id, "rpc.discover", {});
    ask(12, "devnet.faucet", { address: other });
    await until("the payment", async () => {
      const calls = await service.run<{ params: { address?: string }; outcome: string }[]>("devnet.calls");
      return calls.some(({ params, outcome }) => params.address === other && outcome === "ok");
    });
    const metrics = await (await fetch(`${service.adminUrl}/metrics`)).text();
    expect(metrics).toMatch(/lagging 1$/m);
    socket.resume();
    await until("the answer", () => answers.has(12));
    expect(answers.get(12)!.result).toMatchObject({ settled: true });
  });

  it.each(
    variants<Change>(
      [["a revert", async (id) => service.run("devnet.revert", { id })]],
      [
        ["a reset", async () => service.run("devnet.reset")],
        ["an import", async (_, state) => service.run("devnet.importState", { state })],
      ],
    ),
  )("%s ends the wait, and is answered when the index has followed", async (_, change) => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const { state } = await service.run<{ state: string }>("devnet.exportState");
    const head = async () =>
      (await service.run<{ last: { seqno: number } }>("getMasterchainInfo")).last.seqno;
    const before = await head();
    const endlessly = beginEndless(service);
    await until("the first blocks", async () => (await head()) > before + 3);
    const { settled } = (await change(id, state)) as { settled: boolean };
    const gone = await endlessly;
    expect(gone.settled).toBe(false);
    expect(settled).toBe(true);
    expect((await transactionsOf(service, gone.tx_hash)).transactions).toEqual([]);
  });
});

test.runIf(isLong)("a trace that does not end is waited for no longer than the deadline", async () => {
  const service = await start({ mining: "message", index: isLong }, 300);
  onTestFinished(() => service.close());
  const { id } = await service.run<{ id: string }>("devnet.snapshot");
  expect((await beginEndless(service)).settled).toBe(false);
  // The write has happened in any case.
  const isPaid = async (address: string) => (await service.run("getAddressBalance", { address })) !== "0";
  const { address } = await endlessContract();
  expect(await service.run("getTransactions", { address })).not.toEqual([]);
  const { waiting, ...rest } = await service.run<Settlement>("devnet.settle", { timeout_ms: 300 });
  expect(rest.settled).toBe(false);
  expect(waiting.queued).toBeGreaterThan(0);
  // Others do not wait for it.
  await service.run<Receipt>("devnet.faucet", { address: someone });
  await until("the payment", () => isPaid(someone));
  await service.run("devnet.revert", { id });
  expect((await service.run<Settlement>("devnet.settle", { timeout_ms: 60_000 })).settled).toBe(true);
});

test("timed blocks: controls wait for the index, messages do not, and settle waits for both", async () => {
  await setMining("interval", 300);
  const { wallet, secretKey } = await openWallet(service);
  for (let round = 0; round < sized(1, 5); round++) {
    const { tx_hash, settled } = await service.run<Receipt>("devnet.faucet", { address: someone });
    expect(settled).toBe(true);
    expect((await transactionsOf(service, tx_hash)).transactions).toHaveLength(1);
    const seqno = await wallet.getSeqno();
    const messages = [internal({ to: someone, value: "0.01", bounce: false })];
    const sendMode = SendMode.PAY_GAS_SEPARATELY;
    await wallet.sendTransfer({ seqno, secretKey, messages, sendMode });
    const { settled: isSettled, waiting } = await service.run<Settlement>("devnet.settle", {
      timeout_ms: 60_000,
    });
    expect([isSettled, waiting]).toEqual([true, { messages: 0, queued: 0, blocks: 0 }]);
    expect(await wallet.getSeqno()).toBe(seqno + 1);
  }
});

test("manual blocks: nothing makes one that was not asked for", async () => {
  await setMining("manual");
  const { wallet, secretKey } = await openWallet(service);
  const seqno = await wallet.getSeqno();
  const messages = [internal({ to: someone, value: "0.01", bounce: false })];
  await wallet.sendTransfer({ seqno, secretKey, messages, sendMode: SendMode.PAY_GAS_SEPARATELY });
  const { settled, waiting } = await service.run<Settlement>("devnet.settle", { timeout_ms: 60_000 });
  expect([settled, waiting]).toEqual([false, { messages: 1, queued: 0, blocks: 0 }]);
  expect(await wallet.getSeqno()).toBe(seqno);
  const made = await service.run<Receipt>("devnet.mine");
  expect(made.settled).toBe(true);
  expect((await service.run<Settlement>("devnet.settle", { timeout_ms: 60_000 })).settled).toBe(true);
  expect(await wallet.getSeqno()).toBe(seqno + 1);
  const edited = await service.run<Receipt>("devnet.setBalance", { address: someone, balance: "7" });
  expect([edited.settled, edited.block.seqno]).toEqual([true, made.block.seqno + 1]);
});

test.runIf(isLong)("startDevnet settles, too", async () => {
  const devnet = await startDevnet({ mining: "manual" });
  onTestFinished(() => devnet.close());
  const waiting = { messages: 0, queued: 0, blocks: 0 };
  expect(await devnet.settle(60_000)).toEqual({ settled: true, waiting });
  const { mnemonic } = devnet.wallets.find(({ type }) => type === "v4r2")!;
  const { publicKey, secretKey } = await mnemonicToWalletKey(mnemonic.split(" "));
  const client = new TonClient({ endpoint: `${devnet.url}/api/v2/jsonRPC` });
  const sender = client.open(WalletContractV4.create({ workchain: 0, publicKey })).sender(secretKey);
  const counter = client.open(await Counter.make(1));
  await counter.sendDeploy(sender, toNano("0.05"));
  expect(await devnet.settle(100)).toEqual({ settled: false, waiting: { ...waiting, messages: 1 } });
  await devnet.mine();
  expect((await devnet.settle(60_000)).settled).toBe(true);
  await expect(devnet.settle(-1)).rejects.toThrow("timeout_ms");
  const run = async (method: string, params: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "Content-Type": "application/json" };
    return (await fetch(`${devnet.url}/jsonRPC`, { method: "POST", headers, body })).json();
  };
  await run("devnet.setMining", { mode: "message" });
  await counter.sendIncrease(sender, toNano("0.05"), 3);
  expect(await counter.getCounter()).toBe(3);
  const payment = { from: someone, to: counter.address.toString(), value: "50000000", status: true };
  expect(await run("devnet.impersonate", payment)).toMatchObject({
    result: { settled: true, status: { status: "completed" } },
  });
});

describePostgres("an index that stands still", (_fresh, server) => {
  test("is waited for no longer than the deadline", async () => {
    const databaseUrl = await server().databaseWithSchema();
    const database = openPatiently(databaseUrl);
    onTestFinished(() => database.close());
    // Simulates another process that writes the index and has stopped.
    const lock = await database.lock(lockNumbers.head, new AbortController().signal);
    const service = await start({ mining: "message", databaseUrl }, 100);
    onTestFinished(() => service.close());
    const { settled } = await service.run<Receipt>("devnet.faucet", { address: someone });
    expect(settled).toBe(false);
    expect(BigInt(await service.run<string>("getAddressBalance", { address: someone }))).toBe(toNano("10"));
    const { waiting } = await service.run<Settlement>("devnet.settle", { timeout_ms: 100 });
    expect(waiting.blocks).toBeGreaterThan(0);
    await lock.release();
    const rest = await service.run<Settlement>("devnet.settle", { timeout_ms: 60_000 });
    expect(rest).toMatchObject({ settled: true, waiting: { messages: 0, queued: 0, blocks: 0 } });
  });
});
