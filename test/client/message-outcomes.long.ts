import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type Client, createClient, http, sendAndWait, waitForSeqno, webSocket } from "../../client/index.js";
import { sendAndWait as sendAndWatch } from "../../client/watch/index.js";
import { externalMessage } from "../../server/chain/external-message.js";
import type { Payment } from "../../server/contracts/wallet-order.js";
import type { AccountChange } from "../../server/devnet/control/controls.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { beginCell } from "../../shared/ton/cells/builder.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { compile } from "../helpers/contracts/tolk.js";
import { type DevnetService, startDevnetService } from "../helpers/services/devnet-service.js";
import { streamsReady } from "../helpers/services/streams-ready.js";
import { untilIndexed } from "../helpers/services/until-indexed.js";
import { type FailingPlaces, failingPlaces } from "../helpers/stories/failing-story.js";
import { until } from "../helpers/until.js";
import { FakeClock } from "./helpers/fake-clock.js";

// Outcomes of messages sent by each `sendAndWait`, at a whole service with a devnet.

const always = 0xffffffff;
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64");

let service: DevnetService;
let places: FailingPlaces;
/** By how much the clock of the service is ahead, ms. */
let aheadMs = 0;
beforeAll(async () => {
  const now = () => Date.now() + aheadMs;
  service = await startDevnetService({ index: true, anonymousRps: "unlimited" }, { now });
  await streamsReady(service);
  places = await failingPlaces(controlsOf(service));
});
afterAll(() => service?.close());

/** The controls of a devnet, by the calls of its service. */
function controlsOf({ run }: DevnetService) {
  return {
    setAccount: ({ id }: { id: Uint8Array }, change: AccountChange) => {
      const { balance, code, data } = change as Exclude<AccountChange, { account: Uint8Array }>;
      return run<never>("devnet.setAccount", {
        address: new Address(0, id).toRaw(),
        ...(balance !== undefined && { balance: balance.toString() }),
        ...(code && { code: base64(code) }),
        ...(data && { data: base64(data) }),
      });
    },
    advanceTime: (seconds: number) => run<{ now: number }>("devnet.advanceTime", { seconds }),
    mine: (blocks: number) => run<never>("devnet.mine", { blocks }),
  };
}

/** A result of any kind. */
const ways = [
  { name: "sendAndWait of watch over a WebSocket", by: sendAndWatch, isTold: true },
  { name: "sendAndWait over HTTP", by: sendAndWait, isTold: false },
];

describe.each(ways)("$name", ({ by, isTold }) => {
  let client: Client;
  /** Messages sent over WebSockets. */
  const sent: string[] = [];
  class NotedSocket extends WebSocket {
    override send(text: string) {
      sent.push(text);
      super.send(text);
    }
  }
  beforeAll(() => {
    const url = `${service.url}/jsonRPC`;
    const transport = isTold ? webSocket(url, { WebSocket: NotedSocket }) : http(url);
    client = createClient({ transport, apiKey: service.key });
  });
  afterAll(() => client.close());

  let wallet: TestWallet;
  let wallets = 0;
  beforeEach(async () => {
    wallet = new TestWallet(`${isTold} ${wallets++}`, "v4r2");
    await service.run("devnet.setBalance", { address: wallet.address.toRaw(), balance: `${100n * ton}` });
  });
  afterEach(() => service.mine(4));

  /** With news over a WebSocket the clock stands still: the result comes from the news, not from polling. */
  const clock = () => (isTold ? { clock: new FakeClock() } : {});
  const order = (payment: Payment, { seqno = 0, validUntil = always } = {}) =>
    base64(serializeBoc(wallet.wallet.order({ seqno, validUntil, payments: [payment] })));
  const send = (boc: string, options: object) => by(client, boc, options);
  const follow = (boc: string) => send(boc, clock());
  /** Makes blocks until there is a result. */
  const mined = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    void work.catch(() => {}).then(() => (isOver = true));
    while (!isOver) await untilIndexed(service, await service.mine(1));
    return work;
  };
  const isPending = async (boc: string) => {
    await until("the message", async () => {
      const { json } = await service.post("/api/v3/messageStatus", { boc });
      return (json as { status: string }).status === "pending";
    });
  };

  it.each([
    ["good", { success: true, failure: null }],
    ["throws and keeps", { success: false, failure: { phase: "compute", exit_code: 777, refund: null } }],
    ["throws and returns", { success: false, failure: { phase: "compute", exit_code: 777, bounce: "ok" } }],
    ["sends too much", { success: false, failure: { phase: "action", exit_code: 37, bounce: null } }],
    ["sends too much and returns", { success: false, failure: { phase: "action", bounce: "ok" } }],
    ["too little for gas", { success: true, failure: null }],
    ["to nobody and back", { success: false, failure: { skipped_reason: "no_state", bounce: "ok" } }],
    ["more than the wallet has", { success: false, failure: { phase: "action", skipped_actions: 1 } }],
  ])("reports the outcome of a transfer: %s", async (place, outcome) => {
    const boc = order(places[place]!(ton));
    const { hash, hashNorm, status } = await mined(follow(boc));
    expect(status).toMatchObject({
      status: "completed",
      message_hash: hash,
      message_hash_norm: hashNorm,
      ...outcome,
    });
  });

  it("until its transaction resolves with that, also of a transfer that failed", async () => {
    const result = await mined(
      by(client, order(places["throws and keeps"]!(ton)), { until: "transaction", ...clock() }),
    );
    expect(result).toEqual({
      hash: expect.any(String),
      hashNorm: expect.any(String),
      from: "v3",
      transaction: expect.objectContaining({ account: wallet.address.toRawUpper() }),
    });
    expect(await waitForSeqno(client, wallet.address.toRaw(), 1)).toBe(1);
  });

  it("reports that a message has expired", async () => {
    const { now } = await service.run<{ now: number }>("devnet.info");
    const boc = order(places["good"]!(ton), { validUntil: now + 5 });
    const following = follow(boc);
    await isPending(boc);
    await service.run("devnet.advanceTime", { seconds: 60 });
    const { status } = await mined(following);
    expect(status).toMatchObject({ status: "expired", reason: "valid_until", replaced_by: null });
  });

  it("reports the other message that took its place", async () => {
    const { now } = await service.run<{ now: number }>("devnet.info");
    const boc = order(places["good"]!(ton), { validUntil: now + 5 });
    const following = follow(boc);
    await isPending(boc);
    await service.run("devnet.advanceTime", { seconds: 60 });
    const { hash } = await service.run<{ hash: string }>("sendBocReturnHash", {
      boc: order(places["good"]!(2n * ton)),
    });
    const { status } = await mined(following);
    expect(status).toMatchObject({
      status: "expired",
      reason: "seqno",
      wallet: { seqno: 0, next_seqno: 1 },
      replaced_by: { message_hash: hash },
    });
  });

  it("reports that no node keeps a message any more", async () => {
    const { now } = await service.run<{ now: number }>("devnet.info");
    const code = await compile(`
      import "@stdlib/gas-payments"
      fun onExternalMessage() { assert (blockchain.now() < ${now + 30}) throw 88; acceptExternalMessage(); }`);
    const account = new Address(0, new Uint8Array(32).fill(isTold ? 0x71 : 0x72));
    const address = account.toRaw();
    await service.run("devnet.setAccount", { address, balance: `${ton}`, code: base64(serializeBoc(code)) });
    const body = beginCell().storeUint(1, 8).endCell();
    const boc = base64(serializeBoc(externalMessage(account, body, undefined)));
    const following = follow(boc);
    await isPending(boc);
    await service.run("devnet.advanceTime", { seconds: 100 });
    aheadMs += 121_000;
    const { status } = await mined(following);
    expect(status).toMatchObject({ status: "dropped", wallet: null, sent_utime: expect.any(Number) });
  });

  it("rejects a message that the wallet refuses, with its exit code", async () => {
    await mined(follow(order(places["good"]!(ton))));
    const refused = follow(order(places["good"]!(2n * ton)));
    await expect(refused).rejects.toMatchObject({ code: "message-rejected", exitCode: 33 });
  });

  it("ends when its time is over", async () => {
    const clock = new FakeClock();
    let error: unknown;
    const boc = order(places["good"]!(ton));
    void send(boc, { timeoutMs: 10_000, clock }).catch((thrown) => {
      error = thrown;
    });
    const begun = clock.now();
    await until("the end", () => {
      // Until the next poll.
      clock.advance(clock.waits[0] ?? 0);
      return error !== undefined;
    });
    expect(error).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("the trace of message"),
      sent: { status: { status: "pending" } },
    });
    expect(clock.now() - begun).toBeGreaterThan(9900);
    expect(clock.now() - begun).toBeLessThanOrEqual(10_000);
    expect(clock.waits).toEqual([]);
  });

  it("ends, and stops listening, once its signal fires", async () => {
    const controller = new AbortController();
    const clock = new FakeClock();
    const before = sent.length;
    const following = send(order(places["good"]!(ton)), { clock, signal: controller.signal });
    void following.catch(() => {});
    await until("a look", () => clock.waits.length === 1);
    controller.abort();
    await expect(following).rejects.toMatchObject({ code: "aborted" });
    expect(clock.waits).toEqual([]);
    const asked = (method: string) =>
      sent.slice(before).filter((text) => text.includes(`"${method}"`)).length;
    if (isTold) await until("the end of the subscription", () => asked("unsubscribe") === asked("subscribe"));
  });
});
