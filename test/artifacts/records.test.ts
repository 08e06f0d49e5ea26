import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { externalMessage } from "../../server/chain/external-message.js";
import type { Action } from "../../shared/schema/v3/actions.js";
import { AbiCoder } from "../../shared/ton/abi/coder.js";
import { readTolkAbi } from "../../shared/ton/abi/tolk.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Cell } from "../../shared/ton/cells/cell.js";
import { encode } from "../../shared/ton/tlb/codec.js";
import { onlyCoins } from "../../shared/ton/tlb/currency-collection.js";
import { composeMessage, Message as InternalMessage } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { bytesToBase64, bytesToHex } from "../../shared/values/bytes.js";
import { relayAbi, relaySource } from "../helpers/abi/relay-contract.js";
import { compile } from "../helpers/contracts/tolk.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { TestSubscriber } from "../helpers/http/test-subscriber.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { addKey } from "../helpers/services/keys.js";
import { until } from "../helpers/until.js";

const [relay, counter, nobody] = [0xa0, 0xc0, 0xe0].map(
  (byte) => new Address(0, new Uint8Array(32).fill(byte)),
) as [Address, Address, Address];
const raw = (address: Address) => address.toRawUpper();
const base64 = (cell: Cell) => bytesToBase64(serializeBoc(cell));
const coder = new AbiCoder(readTolkAbi(relayAbi()));
const source = { contract: "Relay", trust: "own", by: "code" };
const note = bytesToBase64(serializeBoc(Cell.empty, { crc32: false }));

type Message = { abi?: unknown; destination: string | null };
type Transaction = {
  account: string;
  description: { compute_ph: Record<string, unknown> };
  in_msg: Message;
  out_msgs: Message[];
};

const ask = (by: number, to: Address) => ({
  ...source,
  message: "Ask",
  fields: { by: String(by), to: raw(to) },
});
const increase = (by: number) => ({
  ...source,
  message: "Increase",
  fields: { by: String(by), owner: raw(relay), isLast: true, note },
});
const increased = (by: number) => ({ ...source, message: "Increased", fields: { total: String(by) } });

describe("include_abi of records", () => {
  let service: DevnetService;
  let folder: string;
  const write = (file: string, json: unknown) => writeFileSync(join(folder, file), JSON.stringify(json));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "tonwire-records-"));
    const code = await compile(relaySource);
    write("Relay.compiled.json", { hash: bytesToHex(code.hash()), hex: bytesToHex(serializeBoc(code)) });
    write("relay.abi.json", relayAbi());
    service = await startDevnetService({ index: true, artifacts: folder, anonymousRps: "unlimited" });
    for (const address of [relay, counter]) {
      const account = { address: raw(address), balance: "10000000000", code: base64(code), data: note };
      await service.run("devnet.setAccount", account);
    }
    await service.mine();
    for (const [by, to] of asked) await send(by, to);
  });
  afterAll(async () => {
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const asked: [number, Address][] = [
    [5, counter],
    [1001, counter],
    [7, nobody],
  ];
  const requestOf = (by: number, to: Address) =>
    externalMessage(relay, coder.writeBody("external", "Ask", { by, to: raw(to) }), undefined);

  /** Sends a request, and makes the blocks of its whole trace. */
  async function send(by: number, to: Address): Promise<string> {
    const request = requestOf(by, to);
    await service.run("sendBoc", { boc: base64(request) });
    await service.mine();
    await service.run("devnet.settle");
    return bytesToHex(request.hash());
  }

  async function get<T>(path: string): Promise<T> {
    const { status, json, text } = await service.get(`/api/v3/${path}`);
    if (status !== 200) throw new Error(text);
    return json as T;
  }

  const transactionsOf = async (address: Address, more = "&include_abi=true") =>
    (await get<{ transactions: Transaction[] }>(`transactions?account=${raw(address)}&sort=asc${more}`))
      .transactions;
  const actionsWith = async (more: string) =>
    (
      await get<{ actions: (Action & { text: string })[] }>(
        `actions?action_type=call_contract&sort=asc${more}`,
      )
    ).actions;

  it("transactions have messages by the ABI of the receiver, else of the sender", async () => {
    const sent = await transactionsOf(relay);
    expect(sent.map(({ in_msg, out_msgs }) => [in_msg.abi, ...out_msgs.map(({ abi }) => abi)])).toEqual([
      [ask(5, counter), increase(5)],
      [ask(1001, counter), increase(1001)],
      // What came back of it.
      [null],
      [ask(7, nobody), increase(7)],
      [null],
    ]);
    const [received] = await transactionsOf(counter);
    expect([received?.in_msg.abi, received?.out_msgs[0]?.abi]).toEqual([increase(5), increased(5)]);
  });

  it("exit codes have their names", async () => {
    const [, failed] = await transactionsOf(counter);
    expect(failed?.description.compute_ph).toMatchObject({
      exit_code: 1234,
      exit_name: "ERR_TOO_LARGE",
      exit_meaning: "More than 1000 at once.",
      exit_source: source,
    });
  });

  it("are the only difference", async () => {
    const without = (value: unknown): unknown =>
      JSON.parse(JSON.stringify(value), function (this: unknown, name, member) {
        return /^(abi|exit_(name|meaning|source))$/.test(name) ? undefined : member;
      });
    for (const path of [
      `transactions?account=${raw(counter)}`,
      `messages?source=${raw(relay)}`,
      `traces?account=${raw(relay)}&include_actions=true`,
      `events?account=${raw(relay)}`,
      "actions?limit=20&include_transactions=true",
    ]) {
      const [plain, named] = [await get(path), await get(`${path}&include_abi=true`)];
      expect(JSON.stringify(plain)).not.toMatch(/"abi"|"exit_name"/);
      expect(JSON.stringify(named)).toMatch(/"message":"Increase"/);
      expect(JSON.stringify(without(named))).toBe(JSON.stringify(plain));
    }
  });

  it("messages are read by the current code of their accounts", async () => {
    const { messages } = await get<{ messages: Message[] }>(
      `messages?source=${raw(relay)}&direction=in&sort=asc&include_abi=true`,
    );
    expect(messages.map(({ abi }) => abi)).toEqual([5, 1001, 7].map(increase));
  });

  it("calls of contracts are named, also in their text", async () => {
    const actions = await actionsWith("&include_abi=true&include_text=true");
    const friendly = /[EUk0]?[fQ][\w-]{4}…[\w-]{4}/g;
    expect(actions.slice(0, 3).map(({ abi, text }) => [abi, text.replace(friendly, "…")])).toEqual([
      [increase(5), "… called Increase of … (by 5, owner … and isLast true), sending 0.2 TON"],
      [
        increase(1001),
        "Failed: … called Increase of … (by 1001, owner … and isLast true), sending 0.2 TON; … stopped with ERR_TOO_LARGE (1234): More than 1000 at once",
      ],
      [null, expect.stringContaining("… returned a message to …")],
    ]);
  });

  it("failures in texts name the exit code, as the status of a message does", async () => {
    const [, failed] = await actionsWith("&include_text=true");
    expect(failed).toMatchObject({
      text: expect.stringContaining("called Increase of"),
      failure: { exit_code: 1234, exit_name: "ERR_TOO_LARGE", exit_source: source },
    });
    expect(failed).not.toHaveProperty("abi");
  });

  it("emulations are read by the codes of their own states, and by the opcode alone as a guess", async () => {
    // The first one may take longer than emulations are given: it fails, or lacks transactions.
    const emulate = (boc: Cell) =>
      until("an emulation", async () => {
        const params = { boc: base64(boc), with_actions: true, include_abi: true };
        const { status, json } = await service.post("/api/emulate/v1/emulateTrace", params);
        return status === 200 && !(json as { is_incomplete: boolean }).is_incomplete && json;
      });
    const json = await emulate(requestOf(9, counter));
    const { transactions, actions } = json as {
      transactions: Record<string, Transaction>;
      actions: object[];
    };
    expect(Object.values(transactions).map(({ in_msg }) => in_msg.abi)).toEqual([
      ask(9, counter),
      increase(9),
    ]);
    expect(actions).toMatchObject([{ type: "call_contract", abi: increase(9) }]);
    const body = coder.writeBody("incoming", "Increase", { by: 3, owner: raw(relay), isLast: true, note });
    const info = {
      kind: "internal",
      ihrDisabled: true,
      bounce: false,
      bounced: false,
      src: nobody,
      dest: new Address(0, new Uint8Array(32).fill(0xe1)),
      value: onlyCoins(1_000_000_000n),
      extraFlags: 0n,
      fwdFee: 0n,
      createdLt: 0n,
      createdAt: 0,
    } as const;
    const internal = encode(InternalMessage, composeMessage({ info, body }));
    const guessed = (await emulate(internal)) as { transactions: Record<string, Transaction> };
    expect(Object.values(guessed.transactions).map(({ in_msg }) => in_msg.abi)).toEqual([
      { ...increase(3), by: "opcode" },
    ]);
  });

  it("streams and pending traces have the same", async () => {
    const request = {
      types: ["transactions", "actions"],
      addresses: [raw(counter)],
      min_finality: "pending",
      include_abi: true,
      include_text: true,
    };
    const stream = RawEventStream.open(service.url, request, { key: service.key });
    const plain = RawEventStream.open(service.url, { ...request, include_abi: false }, { key: service.key });
    const client = await TestSubscriber.open(service.url, service.key);
    onTestFinished(() => {
      stream.close();
      plain.close();
      client.close();
    });
    const subscribed = async (kind: string, type: string, include: string[]) => {
      const { subscription } = await client.subscribe({ kind, accounts: [raw(counter)], include });
      return async () => JSON.stringify((await client.has(subscription, type))[0]);
    };
    const named = [
      await subscribed("transactions", "transaction", ["messages", "abi"]),
      await subscribed("actions", "action", ["abi", "text"]),
      await subscribed("traces", "trace", ["abi"]),
    ];
    const unnamed = await subscribed("transactions", "transaction", ["messages"]);
    await stream.event("the start", ({ status }) => status === "subscribed");
    await plain.event("the start", ({ status }) => status === "subscribed");

    const waiting = requestOf(11, counter);
    await service.run("sendBoc", { boc: base64(waiting) });
    const hash = bytesToHex(waiting.hash());
    const pending = await get<{ actions: object[] }>(`pendingActions?ext_msg_hash=${hash}&include_abi=true`);
    expect(pending.actions).toMatchObject([{ abi: increase(11) }]);
    const traces = await get(`pendingTraces?ext_msg_hash=${hash}&include_abi=true`);
    expect(JSON.stringify(traces)).toContain(JSON.stringify(increase(11)));
    const { transactions } = await get<{ transactions: Transaction[] }>(
      `pendingTransactions?account=${raw(counter)}&include_abi=true`,
    );
    expect(transactions.map(({ in_msg }) => in_msg.abi)).toEqual([increase(11)]);
    await service.mine();
    await service.run("devnet.settle");

    for (const finality of ["pending", "finalized"]) {
      const of = (from: RawEventStream, type: string) =>
        from.event(
          `${finality} ${type}`,
          (event) => event["type"] === type && event["finality"] === finality,
        );
      expect(await of(stream, "transactions")).toMatchObject({
        transactions: [{ in_msg: { abi: increase(11) } }],
      });
      expect(await of(stream, "actions")).toMatchObject({
        actions: [{ abi: increase(11), text: expect.stringContaining("called Increase of") }],
      });
      for (const type of ["transactions", "actions"])
        expect(JSON.stringify(await of(plain, type))).not.toMatch(/"abi"|Increase/);
    }
    for (const event of named) expect(await event()).toContain(JSON.stringify(increase(11)));
    expect(await named[1]!()).toContain("called Increase of");
    expect(await unnamed()).not.toContain('"abi"');
  });

  it("streams have the files of each subscriber before those of others", async () => {
    const keys = { Mine: service.key, Theirs: await addKey(service) };
    for (const [contract, key] of Object.entries(keys)) {
      const files = [{ file: `${contract}.tlb`, content: "poke#0000beef = M;" }];
      await service.rpc("v3.debug.artifacts.add", { files }, { key });
    }
    const address = `0:${"D7".repeat(32)}`;
    const request = { types: ["transactions"], addresses: [address], include_abi: true };
    const subscribed = async (key: string) => {
      const client = await TestSubscriber.open(service.url, key);
      const stream = RawEventStream.open(service.url, request, { key });
      onTestFinished(() => {
        client.close();
        stream.close();
      });
      const include = ["messages", "abi"];
      const { subscription } = await client.subscribe({ kind: "transactions", accounts: [address], include });
      await stream.event("the start", ({ status }) => status === "subscribed");
      return async () =>
        [
          (await client.has(subscription, "transaction"))[0],
          await stream.event("the transaction", ({ type }) => type === "transactions"),
        ].map((event) => (JSON.stringify(event).match(/"contract":"\w+","trust":"\w+"/g) ?? []).join());
    };
    const seen = [];
    for (const key of Object.values(keys)) seen.push(await subscribed(key));
    const body = base64(beginCell().storeUint(0xbeef, 32).endCell());
    await service.run("devnet.impersonate", {
      from: raw(nobody),
      to: address,
      value: "1",
      body,
      bounce: false,
    });
    await service.mine();
    await service.run("devnet.settle");
    const own = (contract: string) => `"contract":"${contract}","trust":"own"`;
    expect([await seen[0]!(), await seen[1]!()]).toEqual([
      [own("Mine"), own("Mine")],
      [own("Theirs"), own("Theirs")],
    ]);
  });

  it("a rebuild is seen at once: answers by ABIs are not kept", async () => {
    const nameOf = async () => (await transactionsOf(counter))[1]?.description.compute_ph["exit_name"];
    expect(await nameOf()).toBe("ERR_TOO_LARGE");
    write("relay.abi.json", relayAbi({ tooLarge: "ERR_BEYOND" }));
    await until("the new name", async () => (await nameOf()) === "ERR_BEYOND");
    const [, failed] = await actionsWith("&include_text=true");
    expect(failed).toMatchObject({ failure: { exit_name: "ERR_BEYOND" } });
  });
});
