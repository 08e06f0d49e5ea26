import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { openSocket } from "../../helpers/http/socket.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

type Told = { type?: string; status?: string; finality?: string; [member: string]: unknown };
type Transaction = {
  account: string;
  in_msg: { source: string | null; message_content: { hash: string; body: string } };
};

const transactionsIn = (event: Told) => event["transactions"] as Transaction[];

describe("replay_existing and msg_body_hash", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  const stream = (body: object, headers: Record<string, string> = {}) => {
    const opened = RawEventStream.open(service.url, body, { key: service.key, headers });
    onTestFinished(() => opened.close());
    return opened;
  };
  const socket = async () => {
    const opened = await openSocket(service.url, { path: `/api/streaming/v2/ws?api_key=${service.key}` });
    onTestFinished(() => opened.close());
    return {
      ...opened,
      next: () => opened.next() as Promise<Told>,
      ask: async (request: object) => {
        opened.send(request);
        return (await opened.next()) as Told;
      },
    };
  };
  let wallets = 0;
  /** A wallet of this test alone, with coins. */
  const fundedWallet = async () => {
    const wallet = new TestWallet(`replay ${wallets++}`, "v4r2");
    await service.run("devnet.faucet", { address: wallet.address.toRaw() });
    await service.mine(2);
    return wallet;
  };
  const send = async (wallet: TestWallet) => {
    const boc = Buffer.from(wallet.pay({ to: wallet.address, value: ton, bounce: false })).toString("base64");
    await service.run("sendBoc", { boc });
  };
  const isFinal = ({ finality }: Told) => finality === "finalized";

  it("sends what happened in the last seconds, then what happens, and nothing without the flag", async () => {
    const wallet = await fundedWallet();
    const own = wallet.address.toRawUpper();
    const body = { types: ["transactions", "account_state_change"], addresses: [own] };
    const fresh = stream(body);
    await fresh.event("the start", ({ status }) => status === "subscribed");
    const replayed = stream({ ...body, replay_existing: true });
    await until("the past", () => replayed.events.length === 3);
    expect(replayed.events[0]).toEqual({ status: "subscribed" });
    const [funded, state] = replayed.events.slice(1) as [Told, Told];
    expect(transactionsIn(funded).map(({ account }) => account)).toEqual([own]);
    expect(state).toMatchObject({ type: "account_state_change", account: own, finality: "finalized" });
    await send(wallet);
    await service.mine(2);
    await until("what follows", () => fresh.events.length === 3 && replayed.events.length === 5);
    expect(replayed.events.slice(3)).toEqual(fresh.events.slice(1));

    // Of an account only the last state is kept.
    const later = stream({ ...body, replay_existing: true });
    await until("both traces", () => later.events.length === 4);
    expect(later.events.slice(1).map(({ type }) => type)).toEqual([
      "transactions",
      "transactions",
      "account_state_change",
    ]);
    expect(later.events[3]).toEqual(fresh.events.find(({ type }) => type === "account_state_change"));
  });

  it("sends a socket the past after each subscription that asks for it, once answered", async () => {
    const wallet = await fundedWallet();
    const own = wallet.address.toRawUpper();
    const { ask, next } = await socket();
    const request = { operation: "subscribe", types: ["transactions"], addresses: [own] };
    for (let times = 0; times < 2; times++) {
      expect(await ask({ ...request, replay_existing: true })).toEqual({ status: "subscribed" });
      expect(transactionsIn(await next()).map(({ account }) => account)).toEqual([own]);
    }
    expect(await ask(request)).toEqual({ status: "subscribed" });
    expect(await ask({ operation: "ping" })).toEqual({ status: "pong" });
    expect(await ask({ ...request, replay_existing: "yes" })).toEqual({
      error: "invalid subscribe request: replay_existing must be a boolean",
    });
  });

  it("sends a trace that is not final to those who come late", async () => {
    const wallet = await fundedWallet();
    const own = wallet.address.toRawUpper();
    const body = { types: ["transactions"], addresses: [own], min_finality: "pending" };
    // Somebody else has been sent it before.
    const early = stream(body);
    await early.event("the start", ({ status }) => status === "subscribed");
    await send(wallet);
    const first = await early.event("the expected trace", ({ finality }) => finality === "pending");
    const late = stream({ ...body, replay_existing: true });
    expect(await late.event("the expected trace", ({ finality }) => finality === "pending")).toEqual(first);
    // The past came first.
    expect((late.events as Told[]).map(({ finality }) => finality)).toEqual([
      undefined,
      "finalized",
      "pending",
    ]);
    await service.mine(2);
    const name = first["trace_external_hash_norm"];
    const isIt = (event: Told) => isFinal(event) && event["trace_external_hash_norm"] === name;
    expect(await late.event("the final trace", isIt)).toEqual(await early.event("the final trace", isIt));
  });

  it("goes on after Last-Event-ID without a past", async () => {
    const wallet = await fundedWallet();
    const own = wallet.address.toRawUpper();
    const body = { types: ["transactions"], addresses: [own], replay_existing: true };
    const first = stream(body);
    await until("the past", () => first.frames.length === 2);
    const id = /^id: (.*)$/m.exec(first.frames[1]!)![1]!;
    const second = stream(body, { "Last-Event-ID": id });
    await second.event("the start", ({ status }) => status === "subscribed");
    await send(wallet);
    await service.mine(2);
    await until("what follows", () => first.frames.length === 3 && second.frames.length === 2);
    expect(second.events[1]).toEqual(first.events[2]);
  });

  it("sends transactions on an account whose received body has a hash, and other types as they are", async () => {
    const wallet = await fundedWallet();
    const own = wallet.address.toRawUpper();
    await send(wallet);
    await service.mine(2);
    const { transactions } = (await service.get(`/api/v3/transactions?account=${own}&limit=10`)).json as {
      transactions: Transaction[];
    };
    const external = transactions.find(({ in_msg }) => in_msg.source === null)!.in_msg.message_content;
    const internal = transactions.find(({ in_msg }) => in_msg.source === own)!.in_msg.message_content;
    expect(bytesToBase64(parseBocRoot(Buffer.from(external.body, "base64")).hash())).toBe(external.hash);
    for (const { hash } of [external, internal]) {
      const body = {
        types: ["transactions", "actions"],
        addresses: [own],
        msg_body_hash: Buffer.from(hash, "base64").toString("hex"),
        replay_existing: true,
      };
      const opened = stream(body);
      const ofType = (type: string) => opened.events.filter((event) => event["type"] === type);
      // Those of the trace that funded it come first.
      await until("the actions of both traces", () => ofType("actions").length === 2);
      const shown = ofType("transactions").flatMap(transactionsIn);
      expect(shown.length).toBeGreaterThan(0);
      for (const { in_msg } of shown) expect(in_msg.message_content.hash).toBe(hash);
    }
    // The message that it sent is not the one that it received, and other accounts do not count.
    const elsewhere = stream({
      types: ["transactions", "account_state_change"],
      addresses: [own],
      msg_body_hash: "00".repeat(32),
      replay_existing: true,
    });
    await elsewhere.event("its state", ({ type }) => type === "account_state_change");
    expect(elsewhere.events.map(({ type }) => type)).not.toContain("transactions");
  });
});
