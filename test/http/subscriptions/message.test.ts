import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { notification } from "../../../shared/schema/streams/subscription-events.js";
import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { Address } from "../../../shared/values/address.js";
import { TestWallet, ton } from "../../helpers/chain/devnet.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { TestSubscriber } from "../../helpers/http/test-subscriber.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { untilIndexed } from "../../helpers/services/until-indexed.js";
import { until } from "../../helpers/until.js";

const receiver = new Address(-1, new Uint8Array(32).fill(3));

describe("subscriptions to a message", () => {
  let service: DevnetService;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
  });
  afterAll(() => service?.close());

  let wallets = 0;
  const made = async () => {
    const wallet = new TestWallet(`message ${wallets++}`, "v4r2");
    await service.run("devnet.setBalance", {
      address: wallet.address.toRaw(),
      balance: (100n * ton).toString(),
    });
    const bytes = wallet.pay({ to: receiver, value: ton, bounce: true });
    const boc = Buffer.from(bytes).toString("base64");
    return { boc, hash: Buffer.from(parseBocRoot(bytes).hash()).toString("base64") };
  };
  const send = (boc: string) => service.run<{ hash_norm: string }>("sendBocReturnHash", { boc });
  const open = async () => {
    const opened = await TestSubscriber.open(service.url, service.key);
    onTestFinished(() => opened.close());
    return opened;
  };
  const listen = (query: string, last?: string) => {
    const opened = RawEventStream.open(service.url, undefined, {
      method: "GET",
      path: `/api/streaming/events?kind=message&${query}`,
      key: service.key,
      headers: last === undefined ? {} : { "Last-Event-ID": last },
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const statusesOf = (client: TestSubscriber, id: string) =>
    client.events(id, "message").map(({ event }) => (event as { message: MessageStatus }).message.status);
  const minedUntilEnd = async (client: TestSubscriber, id: string) => {
    for (let n = 0; n < 8 && client.events(id, "end").length === 0; n++) await service.mine(1);
    await client.has(id, "end");
  };

  it("send every change, the last status and the end", async () => {
    const client = await open();
    const { boc, hash } = await made();
    const { subscription } = await client.subscribe({ kind: "message", message: hash });
    const [unknown] = await client.has(subscription, "message");
    expect(unknown!.event).toMatchObject({ message: { status: "unknown", reason: "not_found" } });
    const { hash_norm: norm } = await send(boc);
    await client.has(subscription, "message", 2);
    await minedUntilEnd(client, subscription);
    const statuses = statusesOf(client, subscription);
    expect(statuses.slice(0, 2)).toEqual(["unknown", "pending"]);
    expect(statuses.at(-1)).toBe("completed");
    // Equal events are not sent twice.
    const texts = client.events(subscription, "message").map(({ event }) => JSON.stringify(event));
    expect(new Set(texts).size).toBe(texts.length);
    const last = client.events(subscription, "message").at(-1)!;
    const answer = (await service.get(`/api/v3/messageStatus?hash=${encodeURIComponent(norm)}`)) as {
      json: MessageStatus;
    };
    expect(last.event).toEqual({ type: "message", message: answer.json });
    const text = { jsonrpc: "2.0", method: "subscription", params: last };
    expect(notification.parse(text)).toEqual(text);
    expect(client.of(subscription).at(-1)!.event.type).toBe("end");
  });

  it("resume from a cursor: sent changes are not repeated, and missed ones are sent", async () => {
    const client = await open();
    const { boc, hash } = await made();
    await send(boc);
    const first = await client.subscribe({ kind: "message", message: hash });
    const [pending] = await client.has(first.subscription, "message");
    expect(pending!.event).toMatchObject({ message: { status: "pending" } });
    const again = await client.subscribe({ kind: "message", message: hash, from: pending!.cursor });
    await minedUntilEnd(client, again.subscription);
    expect(statusesOf(client, again.subscription)).not.toContain("pending");
    expect(statusesOf(client, again.subscription).at(-1)).toBe("completed");
    const { cursor } = client.events(again.subscription, "message").at(-1)!;
    const over = await client.subscribe({ kind: "message", message: hash, from: cursor });
    await client.has(over.subscription, "end");
    expect(client.events(over.subscription, "message")).toEqual([]);
    const fresh = await client.subscribe({ kind: "message", message: hash });
    await client.has(fresh.subscription, "end");
    expect(statusesOf(client, fresh.subscription)).toEqual(["completed"]);
  });

  it("send a final status once, though its seqno of the wallet changes later", async () => {
    const client = await open();
    const wallet = new TestWallet("replaced", "v4r2");
    const address = wallet.address.toRaw();
    await service.run("devnet.setBalance", { address, balance: (100n * ton).toString() });
    const order = (seqno: number, value: bigint, validUntil = 0xffffffff) => {
      const payments = [{ to: receiver, value, bounce: false }];
      return serializeBoc(wallet.wallet.order({ seqno, validUntil, payments }));
    };
    const { now } = await service.run<{ now: number }>("devnet.info");
    const late = order(0, ton, now + 5);
    const hash = Buffer.from(parseBocRoot(late).hash()).toString("base64");
    await send(Buffer.from(late).toString("base64"));
    await service.run("devnet.advanceTime", { seconds: 60 });
    await service.mine(1);
    const first = await client.subscribe({ kind: "message", message: hash });
    await client.has(first.subscription, "end");
    const told = client.events(first.subscription, "message").at(-1)!;
    expect(told.event).toMatchObject({ message: { status: "expired", wallet: { next_seqno: 0 } } });

    await send(Buffer.from(order(0, 2n * ton)).toString("base64"));
    await untilIndexed(service, await service.mine(1));
    const { json } = await service.get(`/api/v3/messageStatus?hash=${encodeURIComponent(hash)}`);
    expect(json).toMatchObject({ status: "expired", wallet: { next_seqno: 1 } });
    const again = await client.subscribe({ kind: "message", message: hash, from: told.cursor });
    await client.has(again.subscription, "end");
    expect(client.events(again.subscription, "message")).toEqual([]);
    const query = `message=${encodeURIComponent(hash)}`;
    expect(await listen(query, told.cursor).head()).toMatch(/^HTTP\/1\.1 204 /);
    // A cursor of another message does not apply to this one.
    const other = await made();
    const fresh = await client.subscribe({ kind: "message", message: other.hash, from: told.cursor });
    await client.has(fresh.subscription, "message");
  });

  it("are served to EventSource, which does not come back after the end", async () => {
    const { boc, hash } = await made();
    const stream = listen(`message=${encodeURIComponent(hash)}&wait=3600`);
    await until("the first status", () => stream.frames.some((frame) => frame.includes('"unknown"')));
    await send(boc);
    await until("the second status", () => stream.frames.some((frame) => frame.includes('"pending"')));
    for (let n = 0; n < 8 && !stream.isEnded; n++) await service.mine(1);
    await until("the end", () => stream.isEnded);
    const frames = stream.frames.filter((frame) => frame.includes("event: message"));
    expect(frames.at(-1)).toContain('"status":"completed"');
    const id = /^id: (.*)$/m.exec(stream.frames.at(-1)!)![1]!;
    expect(await listen(`message=${encodeURIComponent(hash)}`, id).head()).toMatch(/^HTTP\/1\.1 204 /);
  });

  it("refuse invalid parameters", async () => {
    const client = await open();
    const { hash } = await made();
    const refusal = async (params: object) => (await client.ask("subscribe", params)).error?.message;
    expect(await refusal({ kind: "message" })).toContain("message is required for kind message");
    expect(await refusal({ kind: "message", message: "no hash" })).toBeDefined();
    expect(await refusal({ kind: "blocks", message: hash })).toContain("cannot be used with kind blocks");
    expect(await refusal({ kind: "trace", trace: hash, wait: 5 })).toContain(
      "cannot be used with kind trace",
    );
    expect(await refusal({ kind: "message", message: hash, accounts: [receiver.toRaw()] })).toContain(
      "cannot be used with kind message",
    );
    for (const wait of [0, 86_401, "x"])
      expect(await refusal({ kind: "message", message: hash, wait })).toBeDefined();
  });
});
