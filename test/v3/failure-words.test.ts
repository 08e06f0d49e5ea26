import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Action, DebugRun, EmulatedTrace, TraceList } from "../../client/api.js";
import { createClient, http } from "../../client/index.js";
import { externalMessage } from "../../server/chain/external-message.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import type { MessageStatus, TraceFailure } from "../../shared/schema/v3/message-status.js";
import { shortAddress } from "../../shared/text/answer-names.js";
import { failedStep } from "../../shared/text/failed-step.js";
import { parseBocRoot, serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import type { AccountId } from "../../shared/ton/lite/lite-api.js";
import { decode, encode } from "../../shared/ton/tlb/codec.js";
import { SuspendedAddressList } from "../../shared/ton/tlb/config/contract-lists.js";
import { SizeLimitsConfig } from "../../shared/ton/tlb/config/size-limits.js";
import { StateInit, stateInitOf } from "../../shared/ton/tlb/state-init.js";
import { Address } from "../../shared/values/address.js";
import { base64ToBytes, bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { counterAbi } from "../helpers/abi/counter-contract.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { bocText } from "../helpers/contracts/contracts.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { type FailingPlaces, failingPlaces } from "../helpers/stories/failing-story.js";

const shop = `
  fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val op = in.body.loadUint(32);
    if (op == 1) { throw 777; }
    if (op == 2) { createMessage({ bounce: false, dest: in.senderAddress, value: ton("3") }).send(0); }
    if (op == 3) { createMessage({ bounce: false, dest: in.senderAddress, value: ton("0.01") }).send(255); }
    if (op == 4) { var i: int = 0; while (i < 5000) { beginCell().endCell(); i += 1; } }
    if (op == 5) { createMessage({ bounce: false, dest: in.body.loadAddress(), value: ton("0.01") }).send(0); }
    if (op == 6) { throw 1234; }
    if (op == 7) { throw 0xffff; }
    if (op == 8) {
      var currencies: ExtraCurrenciesMap = createEmptyMap<int32, varuint32>();
      currencies.set(1, 5);
      createMessage({ bounce: false, dest: in.senderAddress, value: (ton("0.01"), currencies) }).send(0);
    }
    if (op == 9) {
      createMessage({ bounce: false, dest: in.senderAddress, value: ton("0.01"), body: contract.getData() }).send(1);
    }
  }
`;

let service: DevnetService;
let folder: string;
let code: Cell;
let usual: FailingPlaces;
let frozenState: Payment["init"];

const at = (byte: number) => new Address(0, new Uint8Array(32).fill(byte));
const base64 = (bytes: Uint8Array) => bytesToBase64(bytes);
/** Of one the state before its order is looked at, so that it has no other orders in the block. */
const [payer, loner, twin] = ["payer", "loner", "twin"].map((name) => new TestWallet(name, "v4r2")) as [
  TestWallet,
  TestWallet,
  TestWallet,
];

/** Sends a payment. Returns the hash of its message. */
const send = (payment: Payment) => sendBoc(base64(payer.pay(payment)));

async function sendBoc(boc: string): Promise<string> {
  return (await service.run<{ hash: string }>("sendBocReturnHash", { boc })).hash;
}

async function setAccount(address: Address, balance: bigint, code: Cell, data = Cell.empty): Promise<void> {
  await service.run("devnet.setAccount", {
    address: address.toRaw(),
    balance: String(balance),
    code: bocText(code),
    data: bocText(data),
  });
}

type Outcome = NonNullable<EmulatedTrace["outcome"]>;

async function expectedOf(boc: string): Promise<Outcome> {
  return (await service.run<EmulatedTrace>("v3.emulate.trace", { boc, include_hint: true })).outcome!;
}

type RefusedCall = { message: string; data: { error: string; hint: string } };
type Completed = Extract<MessageStatus, { status: "completed" }>;

async function statusOf(hash: string): Promise<Completed> {
  const asked = { hash, include_text: true, include_hint: true };
  const status = await service.run<MessageStatus>("v3.messageStatus", asked);
  expect(status.status).toBe("completed");
  return status as Completed;
}

/** The status of a message that is sent now. */
async function settled(boc: string): Promise<Completed> {
  const hash = await sendBoc(boc);
  await service.mine(4);
  await service.run("devnet.settle");
  return statusOf(hash);
}

type Row = {
  pay: () => Payment;
  wallet?: TestWallet;
  /** The sentence after the names of the accounts, and the advice. */
  says: string | RegExp;
  hint: RegExp;
  also?: Partial<TraceFailure>;
  /** The payment that follows the hint. */
  follow?: (failure: TraceFailure) => Payment;
};

const asking = (op: number) => beginCell().storeUint(op, 32);
const shopAt = (byte: number, op: number, value = ton) => ({
  to: at(byte),
  value,
  body: asking(op).endCell(),
});
const attached =
  (pay: () => Payment) =>
  ({ needed }: TraceFailure) => ({ ...pay(), value: BigInt(needed!) });
const library = beginCell().storeUint(2, 8).storeBytes(new Uint8Array(32).fill(9)).endExotic();
const owing = () => ({ to: at(0x90), value: ton / 100n });

const rows: Record<string, Row> = {
  "a frozen account": {
    pay: owing,
    says: /^was frozen for its debt of 0\.\d+ TON$/,
    hint: /^Send the state that the account had \(StateInit\)/,
    follow: () => ({ to: owing().to, value: ton, init: frozenState, bounce: false }),
  },
  "a debt that takes the value": {
    pay: () => usual["is taken for debts"]!(0n),
    says: /^lost the value of the message to its debt/,
    hint: /^Attach about 0\.\d+ TON: with this value nothing failed in a trial\./,
    follow: (failure) => ({ ...usual["is taken for debts"]!(0n), value: BigInt(failure.needed!) }),
  },
  "no code": {
    pay: () => usual["to nobody and back"]!(ton),
    says: "has no code",
    hint: /^Deploy the contract first, or send the message to another address\. 0\.9\d+ TON came back to EQ/,
    follow: () => deploying(3),
  },
  "a state of another address": {
    pay: () => ({ to: at(0x91), value: ton, init: deployed().init }),
    says: "was not run: the code and data that came with the message make another address",
    hint: /^Compare code, data, libraries and workchain/,
    follow: () => deploying(0),
  },
  "a suspended account": {
    pay: () => deploying(1),
    says: "is suspended",
    hint: /^Use another account:/,
    follow: () => deploying(2),
  },
  "too few coins for gas": {
    pay: () => shopAt(0x81, 0, 1n),
    says: "was not run: 0.000000001 TON did not buy the gas",
    hint: /^Attach about 0\.0\d+ TON: .* Nothing came back: too little of the value was left\.$/,
    follow: attached(() => shopAt(0x81, 0)),
  },
  "an exit code of the contract's own": {
    pay: () => shopAt(0x82, 1),
    says: "stopped with exit code 777",
    hint: /^0\.9\d+ TON came back to EQ.*\.$/,
  },
  "an exit code that the ABI names": {
    pay: () => shopAt(0x83, 6),
    says: "stopped with ERR_TOO_LARGE (1234): More than 1000 at once",
    hint: /came back/,
  },
  "an unknown operation": {
    pay: () => shopAt(0x84, 7),
    says: "does not know the operation 0x00000007",
    hint: /^It knows Add\./,
    also: { operations: ["Add"] },
  },
  "too little gas": {
    pay: () => shopAt(0x85, 4, ton / 100n),
    says: /^used all of its [\d,]+ gas$/,
    hint: /^Attach about 0\.\d+ TON: with this value nothing failed in a trial\./,
    follow: attached(() => shopAt(0x85, 4)),
  },
  "a loop that does not end": {
    pay: () => usual["runs out of gas"]!(ton),
    says: "used all of its 1,000,000 gas",
    hint: /^Attach more coins for gas, or look for a loop that does not end\./,
  },
  "a missing library": {
    pay: () => ({ to: at(0x86), value: ton }),
    says: `has a library for its code that is not on the chain, ${base64(new Uint8Array(32).fill(9))}`,
    hint: /^Publish the library in the masterchain\./,
  },
  "an invalid action": {
    pay: () => shopAt(0x87, 3),
    says: "ordered an invalid action, number 0: exit code 34 (invalid or unsupported action)",
    hint: /^A contract may order up to 255 actions: look at their modes/,
    follow: () => shopAt(0x87, 0),
  },
  "too few coins for an action": {
    pay: () => shopAt(0x88, 2),
    says: /^could not send 3 TON to EQ\S+, as 1\.0\d+ TON were there: exit code 37 \(there are not enough coins for a message\)$/,
    hint: /^Attach about 3[.\d]* TON: with this value nothing failed in a trial\.$/,
    follow: attached(() => shopAt(0x88, 2)),
  },
  "an action to no account": {
    pay: () => ({
      to: at(0x89),
      value: ton,
      body: asking(5)
        .storeAddress(new Address(5, new Uint8Array(32)))
        .endCell(),
    }),
    says: /^failed to perform an action, number 0, for .*: exit code 36 \(message has invalid destination\)$/,
    hint: /^Look at the receiver/,
    follow: () => ({ to: at(0x89), value: ton, body: asking(5).storeAddress(at(0x55)).endCell() }),
  },
  "an extra currency that the contract does not have": {
    pay: () => shopAt(0x8b, 8),
    says: /^could not send an extra currency to EQ\S+: exit code 38 \(not enough extra currency\)$/,
    hint: /^Send the contract enough of the currency first\.$/,
    follow: () => shopAt(0x8b, 0),
  },
  "too few coins for a long message": {
    pay: () => shopAt(0x8c, 9, 300_000n),
    says: /^could not send 0.01 TON to EQ\S+, as 0\.000\d+ TON were there: exit code 40 \(a message is too large, or/,
    hint: /^Attach about 0\.\d+ TON: with this value nothing failed in a trial\.$/,
    follow: attached(() => shopAt(0x8c, 9)),
  },
  "a message that is too large": {
    pay: () => shopAt(0x8d, 9),
    says: /^could not send 0.01 TON to EQ\S+, as 1\.\d+ TON were there: exit code 40 \(a message is too large, or/,
    hint: /^Attach more coins for its fees, or send less: a message has at most 8,192 cells\.$/,
    follow: () => shopAt(0x8d, 0),
  },
  "an action that a wallet left out": {
    pay: () => ({ to: at(0x8a), value: 2_000_000n * ton }),
    wallet: loner,
    says: /^left out 1 action that failed, of 2,000,000 TON to EQ\S+, as 999,999\.\d+ TON were there$/,
    hint: /^Let the account have about [\d,]+ TON: with this balance nothing failed in a trial\.$/,
  },
  "a contract further on": {
    pay: () => usual["fails further on"]!(ton),
    says: "stopped with exit code 777",
    hint: /came back/,
    also: { source: at(0x52).toRawUpper() },
  },
};

/** The state of a contract that is not deployed, and its address. */
function deployed(number = 0) {
  const init = stateInitOf(code, beginCell().storeUint(number, 32).endCell());
  return { init, hash: encode(StateInit, init).hash() };
}

const gate = `
  fun acceptExternalMessage(): void asm "ACCEPT";
  fun onInternalMessage(in: InMessage) { }
  fun onExternalMessage(body: slice) {
    val op = body.loadUint(32);
    if (op == 1) { return; }
    if (op == 2) { var i: int = 0; while (i < 5000) { beginCell().endCell(); i += 1; } }
    if (op == 3) { throw 0xffff; }
    acceptExternalMessage();
  }
`;

/** Refused messages from outside: what is said, and the message that follows the hint. */
const refusals: Record<string, { to: number; op: number; says: string; hint: string; accepted?: number }> = {
  "that is ignored": {
    ...{ to: 0xa1, op: 1, accepted: 4 },
    says: "ended without accepting the message.",
    hint: "The contract ignores such messages: look at the address and the body.",
  },
  "on which the checks are too dear": {
    ...{ to: 0xa1, op: 2, accepted: 5 },
    says: "spent its 10,000 gas before it accepted the message.",
    hint: "Let the contract accept earlier: it has this gas for its checks.",
  },
  "with another operation": {
    ...{ to: 0xa1, op: 3, accepted: 6 },
    says: "refused the message, whose operation it does not know.",
    hint: "Look at the address and the first bits of the body.",
  },
  "to a contract without its library": {
    ...{ to: 0x86, op: 0 },
    says: `has a library for its code that is not on the chain, ${base64(new Uint8Array(32).fill(9))}.`,
    hint: "Publish the library in the masterchain.",
  },
};

/** A tree of so many cells. */
function cells(count: number, bytes = 0, place = 0): Cell {
  const cell = beginCell().storeUint(place, 32).storeBytes(new Uint8Array(bytes).fill(place));
  for (let child = 4 * place + 1; child <= 4 * place + 4 && child < count; child++)
    cell.storeRef(cells(count, bytes, child));
  return cell.endCell();
}

function deploying(number: number): Payment {
  const { init, hash } = deployed(number);
  return { to: new Address(0, hash), value: ton, init };
}

async function prepare(): Promise<void> {
  const controls = {
    setAccount: ({ workchain, id }: AccountId, { balance, ...cells }: Partial<Record<string, unknown>>) =>
      service.run("devnet.setAccount", {
        address: new Address(workchain, id).toRaw(),
        balance: String(balance),
        ...Object.fromEntries(Object.entries(cells).map(([name, boc]) => [name, base64(boc as Uint8Array)])),
      }),
    advanceTime: (seconds: number) => service.run("devnet.advanceTime", { seconds }),
    mine: (blocks: number) => service.run("devnet.mine", { blocks }),
  };
  await setAccount(owing().to, 0n, code, cells(400, 120));
  await service.run("devnet.advanceTime", { seconds: 2400 * 86_400 });
  usual = await failingPlaces(controls as unknown as Parameters<typeof failingPlaces>[0]);
  const state = await service.run<{ code: string; data: string }>("getAddressInformation", {
    address: owing().to.toRaw(),
  });
  const cellOf = (boc: string) => parseBocRoot(base64ToBytes(boc)!);
  frozenState = stateInitOf(cellOf(state.code), cellOf(state.data));
  for (const { address, wallet } of [payer, loner])
    await setAccount(address, 1_000_000n * ton, wallet.init.code!, wallet.init.data!);
  for (let byte = 0x81; byte <= 0x8b; byte++)
    await setAccount(at(byte), ton / 10n, byte === 0x86 ? library : code);
  await setAccount(at(0x8c), 0n, code, cells(1500));
  await setAccount(at(0x8d), ton / 10n, code, cells(9000));
  await setAccount(at(0xa1), ton, await compile(gate));
  const suspended = { workchain: 0, hash: deployed(1).hash };
  const nobody = beginCell().storeUint(0, 9).storeUint(0xffffffff, 32).endCell();
  const addresses = decode(SuspendedAddressList, nobody).addresses.set(suspended, true);
  const limits = await service.run<{ config: { bytes: string } }>("getConfigParam", { config_id: 43 });
  const allowing = { ...decode(SizeLimitsConfig, cellOf(limits.config.bytes)), maxMsgExtraCurrencies: 2 };
  const boc = bocText(encode(SizeLimitsConfig, allowing as SizeLimitsConfig));
  await service.run("devnet.setConfig", { param: 43, value: boc });
  const list = encode(SuspendedAddressList, { addresses, suspendedUntil: 0xffffffff });
  await service.run("devnet.setConfig", { param: 44, value: bocText(list) });
}

describe("a failure in words", () => {
  const hashes = new Map<string, string>();
  const expected = new Map<string, Outcome>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-words-"));
    code = await compile(shop);
    const write = (file: string, json: unknown) => writeFileSync(join(folder, file), JSON.stringify(json));
    write("Counter.compiled.json", { hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) });
    write("counter.abi.json", counterAbi());
    service = await startDevnetService({ index: true, artifacts: folder, anonymousRps: "unlimited" });
    await prepare();
    for (const [name, { pay, wallet = payer }] of Object.entries(rows)) {
      const boc = base64(wallet.pay(pay()));
      expected.set(name, await expectedOf(boc));
      hashes.set(name, await sendBoc(boc));
    }
    await service.mine(4);
    await service.run("devnet.settle");
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(Object.entries(refusals))(
    "says why a message is refused, to each client: one %s",
    async (_, row) => {
      const boc = (op: number) => bocText(externalMessage(at(row.to), asking(op).endCell(), undefined));
      const answer = (await service.rpc("sendBoc", { boc: boc(row.op) })) as { error: RefusedCall };
      const { message, data } = answer.error;
      expect(message).toBe(`${shortAddress(at(row.to).toFriendly())} ${row.says}`);
      expect(data.hint).toBe(row.hint);
      const words = { error: data.error, sentence: message, hint: row.hint };
      const params = { boc: boc(row.op) };
      for (const path of ["/api/v2/sendBoc", "/api/v3/message", "/api/v2/jsonRPC"]) {
        const body = path.endsWith("RPC") ? { jsonrpc: "2.0", id: 1, method: "sendBoc", params } : params;
        expect((await service.post(path, body)).json).toMatchObject(words);
      }
      expect((await service.post("/api/emulate/v1/emulateTrace", params)).json).toEqual({
        error: expect.stringMatching(/^failed to emulate shard block: /),
        sentence: message,
        hint: row.hint,
      });
      for (const transport of ["/jsonRPC", "/api/v2/jsonRPC"]) {
        const client = createClient({ transport: http(service.url + transport) });
        await expect(client.sendBoc(params)).rejects.toMatchObject({ shortMessage: message, hint: row.hint });
        client.close();
      }
      if (row.accepted !== undefined)
        expect(await service.run("sendBoc", { boc: boc(row.accepted) })).toEqual({ "@type": "ok" });
    },
  );

  it.each(Object.entries(rows))("says what happened, and what to do: %s", async (name, row) => {
    const { text, failure } = await statusOf(hashes.get(name)!);
    const [, sentence] =
      /^The message was processed, but .* failed: (?:EQ\S+ refused what EQ\S+ asked: it|EQ\S+) (.*)$/.exec(
        text!,
      )!;
    if (typeof row.says === "string") expect(sentence).toBe(row.says);
    else expect(sentence).toMatch(row.says);
    expect(failure!.hint).toMatch(row.hint);
    expect(failure).toMatchObject(row.also ?? {});
    expect(expected.get(name)!.failure).toMatchObject({
      account: failure!.account,
      hint: expect.stringMatching(row.hint),
    });
    if (!row.follow) return;
    const hash = await send(row.follow(failure!));
    await service.mine(2);
    await service.run("devnet.settle");
    expect(await statusOf(hash)).toMatchObject({ success: true });
  });

  it("names the payment that a wallet left out, of two with one body, to every reader", async () => {
    const { address, wallet } = twin;
    await setAccount(address, 10n * ton, wallet.init.code!, wallet.init.data!);
    const payment = (byte: number, value: bigint) => ({ ...shopAt(byte, 9, value), bounce: false });
    const boc = base64(twin.pay(payment(0xb1, 1000n * ton), payment(0xb2, ton)));
    const left = { number: 0, account: at(0xb1).toRawUpper(), value: (1000n * ton).toString() };
    expect((await expectedOf(boc)).failure).toMatchObject({ failed_action: left });
    const { failure } = await settled(boc);
    expect(failure).toMatchObject({ phase: "action", failed_action: left });
    const run = await service.run<DebugRun>("v3.debug.transaction", { hash: failure!.hash });
    expect(run.outcome).toMatchObject({ success: false, phase: "action", exit_code: 0 });
    expect(failedStep(run)).toBe(run.actions[0]!.step);
  });

  it("says that a call was received without being run, which TON Center's actions count as failed", async () => {
    const boc = base64(payer.pay({ ...shopAt(0x81, 10, 1n), bounce: false }));
    expect(await expectedOf(boc)).toMatchObject({ success: true, failures_total: 0 });
    const { success, trace_id } = await settled(boc);
    expect(success).toBe(true);
    const asked = { trace_id: [trace_id], include_text: true };
    const { actions } = await service.run<{ actions: Action[] }>("v3.actions", asked);
    expect(actions).toMatchObject([
      {
        ...{ type: "call_contract", success: false, failure: { skipped_reason: "no_gas" } },
        text: expect.stringMatching(/; \S+ was not run: 0\.000000001 TON did not buy the gas$/),
      },
    ]);
  });

  it("says that a queue is full, until the next block", async () => {
    const boc = (op: number) => bocText(externalMessage(at(0xa1), asking(op).endCell(), undefined));
    const orders = Array.from({ length: 256 }, (_, id) => ({
      ...{ jsonrpc: "2.0", id, method: "sendBoc", params: { boc: boc(0x100 + id) } },
    }));
    for (let at = 0; at < orders.length; at += 64) await service.post("/jsonRPC", orders.slice(at, at + 64));
    const words = {
      sentence: `${shortAddress(at(0xa1).toFriendly())} cannot receive the message, as too many others wait for it.`,
      hint: "Send it again after the next blocks.",
    };
    expect((await service.post("/api/v2/sendBoc", { boc: boc(7) })).json).toMatchObject(words);
    await service.mine(4);
    expect(await service.run("sendBoc", { boc: boc(7) })).toEqual({ "@type": "ok" });
  });

  it("says what will fail of a message that waits, and what to do", async () => {
    const hash = await send(rows["too few coins for an action"]!.pay());
    const hint = /^Attach about [.\d]+ TON: with this value nothing failed in a trial\.$/;
    const outcome = {
      success: false,
      failure: { account: at(0x88).toRawUpper(), hint: expect.stringMatching(hint) },
    };
    expect(await service.run("v3.messageStatus", { hash, include_hint: true })).toMatchObject({
      ...{ status: "pending", expected: outcome },
    });
    const asked = { ext_msg_hash: [hash] };
    const { traces } = await service.run<TraceList>("v3.pendingTraces", { ...asked, include_hint: true });
    expect(traces).toMatchObject([{ outcome }]);
    const plain = await service.run<TraceList>("v3.pendingTraces", asked);
    expect(plain.traces).toMatchObject([{ trace_info: { trace_state: "pending" } }]);
    expect(plain.traces[0]).not.toHaveProperty("outcome");
  });

  it("tries the messages of a bundle on the state before each of them", async () => {
    const poor = shopAt(0x85, 4, ton / 100n);
    const from = payer.address.toRaw();
    const inTonConnect = ({ to, value, body }: Payment) => ({
      ...{ address: to.toRaw(), amount: String(value), payload: bocText(body!) },
    });
    const rich = { ...poor, value: 100n * ton };
    const answer = await service.run<EmulatedTrace>("v3.emulate.tonConnect", {
      ...{ from, messages: [inTonConnect(rich)], include_hint: true },
      bundle: [{ from, messages: [inTonConnect(poor)] }],
      overrides: { accounts: [{ address: from, balance: String(101n * ton) }] },
    });
    expect(answer.outcome).toMatchObject({ success: true, failure: null, failures: [] });
    expect(answer.bundle![0]!.outcome!.failure!.hint).toMatch(rows["too little gas"]!.hint);
  });
});
