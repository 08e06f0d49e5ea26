import { Address, type Sender, toNano } from "@ton/core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type DevnetContract,
  DevnetSendError,
  type DevnetSender,
  type RunningDevnet,
  startDevnet,
} from "../../../server/process/workers/devnet-library.js";
import { until } from "../../helpers/until.js";
import { Tally } from "./tally.js";

let devnet: RunningDevnet;
let sender: DevnetSender;
let tally: DevnetContract<Tally>;
beforeAll(async () => {
  devnet = await startDevnet();
  sender = await devnet.sender();
  tally = devnet.open(await Tally.compiled(sender.address));
  await tally.sendIncrease(sender, 1);
});
afterAll(() => devnet?.close());

const receiver = Address.parse(`0:${"12".repeat(32)}`);
const raw = (address: Address) => address.toRawString().toUpperCase();
const bouncing = { to: receiver, value: toNano("1"), bounce: true };

describe("a sender", () => {
  it("gives transactions, actions and words of what it sent", async () => {
    const trace = await sender.send({ to: receiver, value: toNano("1"), bounce: false });
    const [order, payment] = trace.transactions;
    expect(trace).toMatchObject({
      success: true,
      explanation: null,
      traceId: order?.hash,
      actions: [{ type: "ton_transfer", success: true, text: expect.stringMatching(/ sent 1 TON to /) }],
    });
    expect(order).toMatchObject({
      from: null,
      to: raw(sender.address),
      exitCode: 0,
      actionCode: 0,
      outMessages: 1,
    });
    expect(payment).toMatchObject({
      from: raw(sender.address),
      to: raw(receiver),
      value: toNano("1"),
      bounced: false,
    });
    expect(String(trace)).toMatch(/^From outside to .* \(Eve\): w5_external_signed_request\n {2}.*: 1 TON$/);
  });

  it("has changes of balances as the chain has them", async () => {
    const balance = async (address: Address) => {
      const query = `address=${address.toRawString()}`;
      const answer = await fetch(`${devnet.url}/api/v2/getAddressBalance?${query}`);
      return BigInt(((await answer.json()) as { result: string }).result);
    };
    const accounts = [sender.address, receiver, tally.address];
    const before = await Promise.all(accounts.map(balance));
    const lax = await devnet.sender({ allowFailure: true });
    const traces = [
      await tally.sendIncrease(sender, 1),
      await tally.sendIncrease(lax, 1001),
      await lax.send(bouncing),
    ];
    const after = await Promise.all(accounts.map(balance));
    const changes = accounts.map((account) =>
      traces
        .flatMap(({ transactions }) => transactions)
        .filter(({ to }) => to === raw(account))
        .reduce((sum, { balanceChange }) => sum + balanceChange, 0n),
    );
    expect(changes).toEqual(after.map((balance, index) => balance - before[index]!));
  });

  it("rejects with the explanation if a transaction failed", async () => {
    const error = await tally.sendIncrease(sender, 1001).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DevnetSendError);
    const { message, trace, exitCode, exitName } = error as DevnetSendError;
    expect({ exitCode, exitName }).toEqual({ exitCode: 1234, exitName: null });
    expect(message).toBe(String(await devnet.explain(trace!)));
    expect(message).toMatch(/ stopped with exit code 1234/);
    expect(trace).toMatchObject({
      success: false,
      transactions: [{ success: true }, { success: false }, {}],
    });
    expect(String(trace)).toContain(", failed with exit code 1234\n");
  });

  it("succeeds where a message is received without being run, and says so", async () => {
    const trace = await sender.send({ to: tally.address, value: 1n, bounce: false, body: Tally.body(1) });
    expect(trace).toMatchObject({ success: true, explanation: null });
    expect(trace.transactions[1]).toMatchObject({ success: true, aborted: true, skippedReason: "no_gas" });
    expect(String(trace)).toMatch(/, received without being run \(no_gas\)$/);
    const bouncing = sender.send({ to: tally.address, value: 1n, bounce: true, body: Tally.body(1) });
    await expect(bouncing).rejects.toThrow("was not run");
  });

  it("gives the trace of a failure if that is allowed", async () => {
    const lax = await devnet.sender({ allowFailure: true });
    expect(await tally.sendIncrease(lax, 1001)).toMatchObject({ success: false, returned: "by 1001" });
  });

  it("numbers orders that are sent at the same time, and goes on after a revert", async () => {
    const total = await tally.getTotal();
    const call = (method: string, params: object) =>
      fetch(`${devnet.url}/jsonRPC`, {
        method: "POST",
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      }).then((answer) => answer.json() as Promise<{ result: { id: string } }>);
    const { result } = await call("devnet.snapshot", {});
    await Promise.all([1, 2, 3].map((by) => tally.sendIncrease(sender, by)));
    expect(await tally.getTotal()).toBe(total + 6);
    await call("devnet.revert", { id: result.id });
    await tally.sendIncrease(sender, 1);
    expect(await tally.getTotal()).toBe(total + 1);
  });

  it("is any wallet, and sends in the name of any other account", async () => {
    const ann = devnet.wallets[0]!;
    for (const from of [ann, devnet.faucet.address, devnet.wallets.at(-1)!.address, receiver]) {
      const other = await devnet.sender({ from });
      expect(await tally.sendIncrease(other, 1)).toMatchObject({ success: true });
    }
    const all = await devnet.sender({ from: receiver });
    await expect(all.send({ to: tally.address, value: 1n, sendMode: 128 })).rejects.toThrow("send mode 128");
    await expect(devnet.sender({ from: "nobody" })).rejects.toThrow("from is not an address: nobody");
  });

  it("deploys and passes the value on as its mode says", async () => {
    const other = await Tally.compiled(receiver);
    const all = await devnet.sender({ from: devnet.wallets[1]! });
    const message = { to: other.address, init: other.init, value: 0n, body: Tally.body(1), sendMode: 128 };
    const { transactions } = await all.send(message);
    expect(transactions[1]).toMatchObject({ deploy: true, oldStatus: "nonexist", endStatus: "active" });
    expect(transactions[1]!.value).toBeGreaterThan(toNano("9999"));
  });
});

describe("an opened contract", () => {
  it("is read and written like one that @ton/core opens", async () => {
    const typed: Sender = sender;
    const { returned, success } = await tally.sendIncrease(typed, 2);
    expect([returned satisfies string, success, tally.init.data]).toEqual(["by 2", true, expect.anything()]);
    expect((await tally.getTotal()) satisfies number).toBeGreaterThan(7);
  });

  it("refuses senders whose sends tell nothing, and methods that send nothing", async () => {
    const foreign = { address: receiver, send: async () => {} };
    await expect(tally.sendIncrease(foreign, 1)).rejects.toThrow("sends through devnet.sender()");
    await expect(tally.sendNothing()).rejects.toThrow("sendNothing sent no message");
  });

  it("rejects with the exit code if it refuses a message from outside", async () => {
    const error = await tally.sendOutside().catch((error: unknown) => error);
    expect(error).toBeInstanceOf(DevnetSendError);
    expect(error).toMatchObject({
      trace: undefined,
      exitCode: 11,
      message: expect.stringContaining("sendBoc"),
    });
  });
});

describe("devnet.trace", () => {
  it("has the whole trace of any of its transactions and messages", async () => {
    const { transactions, hash, text } = await tally.sendIncrease(sender, 1);
    const given = [hash, ...transactions.map((each) => each.hash), { tx_hash: transactions[0]!.hash }];
    const traces = await Promise.all(given.map((each) => devnet.trace(each)));
    expect(new Set(traces.map(String))).toEqual(new Set([text]));
    expect(traces[0]!.transactions).toEqual(transactions);
    await expect(devnet.trace("ab".repeat(32))).rejects.toThrow("no message or transaction");
  });
});

describe("where blocks are made on request", () => {
  it("sends wait for the block, and say so if it does not come", async () => {
    const manual = await startDevnet({ mining: "manual" });
    onTestFinished(() => manual.close());
    const pay = { to: receiver, value: toNano("1"), bounce: false };
    const hurried = await manual.sender({ timeoutMs: 1, from: manual.faucet });
    await expect(hurried.send(pay)).rejects.toThrow("call devnet.mine()");
    const patient = await manual.sender();
    const sending = Promise.all([patient.send(pay), patient.send(pay)]);
    await until("three messages", async () => (await manual.settle(1)).waiting.messages === 3);
    await manual.mine(4);
    expect(await sending).toMatchObject([{ success: true }, { success: true }]);
  });
});
