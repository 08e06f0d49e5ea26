import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Jetton, jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { SseStream } from "../../server/http/streaming/sse-stream.js";
import { parseBocRoot } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { decode, encode } from "../../shared/ton/tlb/codec.js";
import { Message, normalizeExternal } from "../../shared/ton/tlb/message.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { RawEventStream } from "../helpers/http/event-stream.js";
import { openSocket } from "../helpers/http/socket.js";
import { TestSubscriber } from "../helpers/http/test-subscriber.js";
import type { DevnetService } from "../helpers/services/devnet-service.js";
import { sharedService } from "../helpers/services/shared-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { until } from "../helpers/until.js";

// The frames of TON Center's streaming service, written down from its source, and those of this service, byte for byte.

const someone = `0:${"5A".repeat(32)}`;
const friendly = Address.read(someone)!.address.toFriendly({ bounceable: false });
const hash = Buffer.alloc(32, 7);
const base64 = hash.toString("base64");
const ofAccount = { types: ["transactions"], addresses: [someone] };
const ofTrace = { types: ["trace"], trace_external_hash_norms: [base64] };

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("indexed");
  await streamsReady(service);
});
afterAll(() => service?.close());

/** A WebSocket and the texts that it received. */
async function open() {
  const { raw } = await openSocket(service.url, { path: `/api/streaming/v2/ws?api_key=${service.key}` });
  onTestFinished(() => raw.terminate());
  const texts: string[] = [];
  raw.on("message", (data, isBinary) => texts.push(isBinary ? "binary" : String(data)));
  return {
    texts,
    send: (request: unknown) => raw.send(typeof request === "string" ? request : JSON.stringify(request)),
  };
}
const stream = (body: unknown) => {
  const opened = RawEventStream.open(service.url, body, { key: service.key });
  onTestFinished(() => opened.close());
  return opened;
};

describe("requests of TON Center's streaming protocol", () => {
  it.each<[string, object]>([
    ["of an account", ofAccount],
    [
      "of an account in another form, twice",
      { ...ofAccount, addresses: [friendly, someone, ` ${someone} `] },
    ],
    [
      "of all types",
      {
        types: [
          "transactions",
          "actions",
          "trace",
          "account_state_change",
          "jettons_change",
          "trace_invalidated",
        ],
        addresses: [someone],
        trace_external_hash_norms: [base64, hash.toString("hex"), hash.toString("base64url")],
      },
    ],
    ["of a trace", ofTrace],
    ...["pending", "confirmed", "finalized", null].map((level): [string, object] => [
      `of finality ${level}`,
      { ...ofAccount, min_finality: level },
    ]),
    ["with action types", { ...ofAccount, action_types: ["ton_transfer"], supported_action_types: ["v1"] }],
    ["with flags", { ...ofAccount, include_address_book: true, include_metadata: false }],
    ["with flags that are null", { ...ofAccount, include_address_book: null, include_metadata: null }],
    ["with unknown fields", { ...ofAccount, operations: ["x"], from: 7 }],
  ])("are answered %s", (_, request) => expectSubscribed(request));

  it.each<[object, string]>([
    [{ id: 'a "b"' }, '"id":"a \\"b\\"",'],
    [{ id: "" }, '"id":"",'],
    [{ id: null }, ""],
  ])("are answered with their id, %j", (id, members) => expectSubscribed({ ...id, ...ofAccount }, members));

  async function expectSubscribed(request: object, members = "") {
    const answer = `{${members}"status":"subscribed"}`;
    const opened = stream(request);
    const socket = await open();
    socket.send({ operation: "subscribe", ...request });
    await until(
      "the answers",
      () => opened.isClosed || (opened.frames.length > 0 && socket.texts.length > 0),
    );
    expect([opened.frames, socket.texts]).toEqual([[`event: connected\ndata: ${answer}`], [answer]]);
  }

  const noAddresses = ["addresses are required for subscription", "addresses are required"] as const;
  const both = (text: string) => [text, text] as const;
  const unread = (text: string) =>
    [`invalid subscription request: ${text}`, `invalid subscribe request: ${text}`] as const;
  it.each([
    ["no types", {}, ["types are required for subscription", "types are required"]],
    ["no type", { types: [] }, ["types are required for subscription", "types are required"]],
    ["an unknown type", { types: ["blocks"], addresses: [someone] }, both("invalid event type: blocks")],
    ["no addresses", { types: ["actions"] }, noAddresses],
    ["no addresses beside a trace", { ...ofTrace, types: ["trace", "actions"] }, noAddresses],
    ["a special address", { ...ofAccount, addresses: ["addr_none"] }, both("address is not standard")],
    ["no address", { ...ofAccount, addresses: ["?"] }, both("cannot parse address: ?")],
    [
      "an empty hash",
      { ...ofTrace, trace_external_hash_norms: [" "] },
      both("trace_external_hash_norms contains empty value"),
    ],
    [
      "a hash without its type",
      { ...ofAccount, trace_external_hash_norms: [base64] },
      both('trace_external_hash_norms requires type "trace"'),
    ],
    ["no hash", { types: ["trace"] }, both("trace_external_hash_norms are required for trace subscription")],
    // The first of several faults, in the order in which they are looked for.
    [
      "types before all",
      { types: [], addresses: ["?"], trace_external_hash_norms: [""] },
      ["types are required for subscription", "types are required"],
    ],
    [
      "names of types before addresses",
      { types: ["x"], addresses: ["?"], trace_external_hash_norms: [""] },
      both("invalid event type: x"),
    ],
    [
      "addresses before hashes",
      { types: ["trace"], addresses: ["?"], trace_external_hash_norms: [""] },
      both("cannot parse address: ?"),
    ],
    [
      "hashes before what is missing",
      { types: ["actions"], trace_external_hash_norms: [""] },
      both("trace_external_hash_norms contains empty value"),
    ],
    [
      "a hash too many before no addresses",
      { types: ["actions"], trace_external_hash_norms: [base64] },
      both('trace_external_hash_norms requires type "trace"'),
    ],
    ["an unknown finality", { ...ofAccount, min_finality: "soon" }, unread("unknown finality state: soon")],
    ["types that are no list", { types: "trace" }, unread("types must be a list of strings")],
    [
      "addresses that are no list",
      { ...ofAccount, addresses: someone },
      unread("addresses must be a list of strings"),
    ],
    [
      "a flag that is none",
      { ...ofAccount, include_metadata: "yes" },
      unread("include_metadata must be a boolean"),
    ],
  ] as const)("are refused: %s", (_, request, answers) => expectRefused(request, answers));

  it("are refused with their id", () =>
    expectRefused({ id: "1" }, ["types are required for subscription", "types are required"], '"id":"1",'));

  async function expectRefused(
    request: object,
    [overSse, overSocket]: readonly [string, string],
    member = "",
  ) {
    const socket = await open();
    socket.send({ operation: "subscribe", ...request });
    const refused = await service.post("/api/streaming/v2/sse", request);
    expect([refused.status, refused.text]).toEqual([400, `{${member}"error":${JSON.stringify(overSse)}}`]);
    await until("the answer", () => socket.texts.length > 0);
    expect(socket.texts).toEqual([`{${member}"error":${JSON.stringify(overSocket)}}`]);
  }

  it.each([
    [{ operation: "ping" }, '{"status":"pong"}'],
    [{ operation: "ping", id: "1" }, '{"id":"1","status":"pong"}'],
    [{ operation: "unsubscribe", id: "1", addresses: [someone] }, '{"id":"1","status":"unsubscribed"}'],
    [{ operation: "unsubscribe", trace_external_hash_norms: [base64] }, '{"status":"unsubscribed"}'],
    [
      { operation: "unsubscribe", id: "1" },
      '{"id":"1","error":"addresses or trace_external_hash_norms are required"}',
    ],
    [
      { operation: "unsubscribe", addresses: [] },
      '{"error":"addresses or trace_external_hash_norms are required"}',
    ],
    [{ operation: "unsubscribe", addresses: ["null"] }, '{"error":"address is not standard"}'],
    [
      { operation: "unsubscribe", trace_external_hash_norms: [""] },
      '{"error":"trace_external_hash_norms contains empty value"}',
    ],
    [
      { operation: "unsubscribe", id: "1", addresses: someone },
      '{"id":"1","error":"invalid unsubscribe request: addresses must be a list of strings"}',
    ],
    [{ operation: "leave", id: "1" }, '{"id":"1","error":"unknown operation: leave"}'],
    [{}, '{"error":"unknown operation: "}'],
    [{ operation: "ping", id: 1 }, '{"error":"invalid request envelope: id must be a string"}'],
    ["[]", '{"error":"invalid request envelope: an object is expected"}'],
  ])("over a WebSocket: %j", async (request, answer) => {
    const socket = await open();
    socket.send(request);
    await until("the answer", () => socket.texts.length > 0);
    expect(socket.texts).toEqual([answer]);
  });
});

it("streams are kept open by comments", async () => {
  const streams: SseStream[] = [];
  const server = createServer((_, response) => {
    response.writeHead(200);
    const plan = { name: "unlimited", limit: undefined };
    const caller = { id: "somebody", plan, devnetRefusal: undefined };
    const place = { isSlowed: false, spend: () => {} };
    streams.push(new SseStream({ response, caller, place, maxUnsentBytes: 1000 }));
    streams[0]!.begin("1");
    streams[0]!.keepAlive();
    streams[0]!.end();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await answer.text()).toBe(
    'event: connected\ndata: {"id":"1","status":"subscribed"}\n\n: keepalive\n\n',
  );
});

describe("events of TON Center's streaming protocol", () => {
  const wallet = new TestWallet("frames", "v4r2");
  const own = wallet.address.toRawUpper();
  const receiver = new Address(0, new Uint8Array(32).fill(0x2e));
  const content = beginCell().storeUint(1, 8).endCell();
  const jetton = new Jetton(wallet.address, content);

  /** A part of an answer of v3, as text. */
  const listed = async (path: string, member?: string) => {
    const { json } = await service.get(`/api/v3/${path}`);
    return JSON.stringify(member === undefined ? json : (json as Record<string, unknown>)[member]);
  };
  const send = async (message: Uint8Array) => {
    await service.run("sendBoc", { boc: Buffer.from(message).toString("base64") });
    const normalized = encode(Message, normalizeExternal(decode(Message, parseBocRoot(message))));
    return Buffer.from(normalized.hash()).toString("base64");
  };
  /** The accounts in the books of an event. */
  const booksOf = async (text: string) => {
    const { address_book = {}, metadata = {} } = JSON.parse(text);
    const query = (of: object) =>
      Object.keys(of)
        .map((each) => `address=${each}`)
        .join("&");
    const book = await listed(`addressBook?${query(address_book)}`);
    const named = Object.keys(metadata).length === 0 ? "{}" : await listed(`metadata?${query(metadata)}`);
    return `,"address_book":${book},"metadata":${named}`;
  };

  beforeAll(async () => {
    await service.run("devnet.faucet", { address: own });
    await service.mine(2);
    const mint = { to: wallet.address, amount: 1000n, tons: ton / 10n, queryId: 1 };
    const body = jetton.mintBody(mint);
    await send(wallet.pay({ to: jetton.address, value: ton, init: jetton.init, bounce: false, body }));
    const seqno = await service.mine(4);
    // No event comes for any of this.
    const client = await TestSubscriber.open(service.url, service.key);
    const { subscription } = await client.subscribe({ kind: "blocks", from: { mc_seqno: seqno }, to: seqno });
    await client.has(subscription, "end");
    client.close();
  });

  it("have the members of their types, over both transports", async () => {
    const message = wallet.pay(
      { to: receiver, value: ton, bounce: false },
      {
        to: jetton.walletOf(wallet.address),
        value: ton / 5n,
        body: jettonTransferBody({ to: receiver, amount: 1n, excessesTo: wallet.address, queryId: 2 }),
      },
    );
    const normalized = encode(Message, normalizeExternal(decode(Message, parseBocRoot(message))));
    const name = Buffer.from(normalized.hash()).toString("base64");
    const encoded = encodeURIComponent(name);
    const request = {
      types: ["transactions", "actions", "trace", "account_state_change", "jettons_change"],
      addresses: [own],
      trace_external_hash_norms: [name],
      min_finality: "pending",
      include_address_book: true,
      include_metadata: true,
    };
    const socket = await open();
    socket.send({ operation: "subscribe", ...request });
    await until("the answer", () => socket.texts.length === 1);
    const opened = stream(request);
    await until("the first frame", () => opened.frames.length === 1);
    /** The texts of a type and finality, once they have arrived. */
    const texts = (type: string, finality: string) =>
      until(`${type} ${finality}`, () => {
        const start = `{"type":"${type}","finality":"${finality}",`;
        const found = socket.texts.filter((text) => text.startsWith(start));
        return found.length > 0 && found;
      });
    const head = (type: string, finality: string) =>
      `{"type":"${type}","finality":"${finality}","trace_external_hash_norm":"${name}"`;

    await service.run("sendBoc", { boc: Buffer.from(message).toString("base64") });
    const expected = JSON.parse(await listed(`pendingTraces?ext_msg_hash=${encoded}`, "traces"))[0];
    const ofOwn = (transactions: Record<string, { account: string; lt: string }>) =>
      Object.values(transactions)
        .filter(({ account }) => account === own)
        .sort((a, b) => Number(BigInt(b.lt) - BigInt(a.lt)));
    const [pending] = await texts("transactions", "pending");
    expect(pending).toBe(
      `${head("transactions", "pending")},"transactions":${JSON.stringify(ofOwn(expected.transactions))}${await booksOf(pending!)}}`,
    );
    const [pendingTrace] = await texts("trace", "pending");
    const { actions: shown } = JSON.parse(pendingTrace!);
    expect(pendingTrace).toBe(
      `${head("trace", "pending")},"trace":${JSON.stringify(expected.trace)},"transactions":${JSON.stringify(expected.transactions)},"actions":${JSON.stringify(shown)}${await booksOf(pendingTrace!)}}`,
    );
    const [pendingActions] = await texts("actions", "pending");
    expect(pendingActions).toMatch(new RegExp(`^${escaped(head("actions", "pending"))},"actions":\\[`));

    await service.mine(5);
    await texts("trace", "finalized");
    await texts("actions", "finalized");
    const trace = JSON.parse(await listed(`traces?msg_hash=${encoded}`, "traces"))[0];
    const [final] = (await texts("transactions", "finalized")).slice(-1);
    expect(final).toBe(
      `${head("transactions", "finalized")},"transactions":${JSON.stringify(ofOwn(trace.transactions))}${await booksOf(final!)}}`,
    );
    const query = `trace_id=${encodeURIComponent(trace.trace_id)}&include_accounts=true`;
    const actions: ListedAction[] = JSON.parse(await listed(`actions?${query}`, "actions"));
    const concerned = actions.filter(({ accounts }) => accounts.includes(own));
    const [finalActions] = await texts("actions", "finalized");
    expect(finalActions).toBe(
      `${head("actions", "finalized")},"actions":${JSON.stringify(concerned)}${await booksOf(finalActions!)}}`,
    );
    const [finalTrace] = await texts("trace", "finalized");
    const { actions: told }: { actions: ListedAction[] } = JSON.parse(finalTrace!);
    expect([...told].sort(byId).map((each) => JSON.stringify(each))).toEqual(
      [...actions].sort(byId).map((each) => JSON.stringify(each)),
    );
    expect(finalTrace).toBe(
      `${head("trace", "finalized")},"trace":${JSON.stringify(trace.trace)},"transactions":${JSON.stringify(trace.transactions)},"actions":${JSON.stringify(told)}${await booksOf(finalTrace!)}}`,
    );
    const [state] = JSON.parse(await listed(`accountStates?address=${own}`, "accounts"));
    const states = await texts("account_state_change", "finalized");
    expect(states.at(-1)).toBe(
      `{"type":"account_state_change","finality":"finalized","account":"${own}","state":{"hash":"${state.account_state_hash}","balance":"${state.balance}","account_status":"active","data_hash":"${state.data_hash}","code_hash":"${state.code_hash}"}}`,
    );
    const [changed] = await texts("jettons_change", "finalized");
    const [record] = JSON.parse(await listed(`jetton/wallets?owner_address=${own}`, "jetton_wallets"));
    expect(changed).toBe(
      `{"type":"jettons_change","finality":"finalized","jetton":${JSON.stringify(record)}${await booksOf(changed!)}}`,
    );

    // The other transport has the same, in its own frames; finalized ones have an id.
    await until("the other transport", () => opened.frames.length === socket.texts.length);
    const wanted = socket.texts.slice(1).map((text) => {
      const isFinal = /^\{"type":"\w+","finality":"finalized",/.test(text);
      return new RegExp(`^event: event\n${isFinal ? "id: [\\w-]+\n" : ""}data: ${escaped(text)}$`);
    });
    for (const [at, frame] of opened.frames.slice(1).entries()) expect(frame).toMatch(wanted[at]!);
  });

  it("take back events that become void", async () => {
    const twin = new TestWallet("frames", "v4r2");
    for (let seqno = 0; seqno < 2; seqno++) twin.pay({ to: receiver, value: ton });
    const socket = await open();
    const request = { types: ["transactions"], addresses: [own], min_finality: "pending" };
    socket.send({ operation: "subscribe", ...request });
    await until("the answer", () => socket.texts.length === 1);
    const opened = stream(request);
    await until("the first frame", () => opened.frames.length === 1);
    const names = [
      await send(wallet.pay({ to: receiver, value: ton, bounce: false })),
      await send(twin.pay({ to: receiver, value: 2n * ton, bounce: false })),
    ];
    await until("both to be expected", () => socket.texts.length >= 3 && opened.frames.length >= 3);
    await service.mine(2);
    const takenBack = names.map(
      (name) => `{"type":"trace_invalidated","trace_external_hash_norm":"${name}"}`,
    );
    await until("one to be taken back", () => takenBack.some((text) => socket.texts.includes(text)));
    const [gone] = takenBack.filter((text) => socket.texts.includes(text));
    await until("the same over the other", () => opened.text.includes(`\n\nevent: event\ndata: ${gone}\n\n`));
  });
});

type ListedAction = { action_id: string; accounts: string[] };
const byId = (a: ListedAction, b: ListedAction) => (a.action_id < b.action_id ? -1 : 1);
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
