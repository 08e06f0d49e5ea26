import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sized } from "../../helpers/effort.js";
import { type Params, TestSubscriber } from "../../helpers/http/test-subscriber.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

type Sent = { lt: string; hash: string; account: string };
const accounts = ["5A", "6B", "7C"].map((byte) => `0:${byte.repeat(32)}`);
const everything = { kind: "transactions", from: { mc_seqno: 1 } };

describe("subscriptions", () => {
  let service: DevnetService;
  let head: number;
  beforeAll(async () => {
    service = await sharedService("indexed");
    await streamsReady(service);
    for (const address of [...accounts, ...accounts]) {
      await service.run("devnet.faucet", { address });
      head = await service.mine(2);
    }
  });
  afterAll(() => service?.close());

  const open = async () => {
    const opened = await TestSubscriber.open(service.url, service.key);
    onTestFinished(() => opened.close());
    return opened;
  };
  /** All events of a subscription that ends. */
  const all = async (params: object): Promise<Params[]> => {
    const client = await open();
    const { subscription } = await client.subscribe({ ...everything, to: head, ...params });
    await client.has(subscription, "end");
    client.close();
    return client.of(subscription);
  };
  const recordsOf = (events: readonly Params[]) =>
    events.filter(({ event }) => event.type === "transaction" || event.type === "action");
  const transactionsOf = (events: readonly Params[]) =>
    events.flatMap(({ event }) => (event.type === "transaction" ? [event.transaction as Sent] : []));

  it("resume after cursors with exactly the events behind them", async () => {
    for (const kind of ["transactions", "actions"]) {
      const events = recordsOf(await all({ kind }));
      expect(events.length).toBeGreaterThan(5);
      const client = await open();
      for (let at = 0; at < events.length; at += 1 + Math.floor(events.length / sized(5, 40))) {
        const from = events[at]!.cursor;
        const { subscription } = await client.subscribe({ kind, from, to: head });
        await client.has(subscription, "end");
        const rest = recordsOf(client.of(subscription)).map(({ id, cursor }) => [id, cursor]);
        expect([at, rest]).toEqual([at, events.slice(at + 1).map(({ id, cursor }) => [id, cursor])]);
      }
    }
  });

  it("lose and repeat nothing while their connections are cut", async () => {
    const received: string[] = [];
    let from: unknown = everything.from;
    for (let cut = 1; cut < 200; cut++) {
      const client = await open();
      // A small window cuts blocks, too.
      const { subscription } = await client.subscribe({ ...everything, from, to: head, window: cut });
      await until("some events", () =>
        client.of(subscription).some(({ event }) => event.type === "end" || event.type === "transaction"),
      );
      const events = client.of(subscription);
      client.close();
      received.push(...recordsOf(events).map(({ id }) => id!));
      from = recordsOf(events).at(-1)?.cursor ?? from;
      if (events.some(({ event }) => event.type === "end")) break;
    }
    expect(received).toEqual(recordsOf(await all({})).map(({ id }) => id));
  });

  it("receive a revert, and the events in place of the reverted ones, also from an old cursor", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const base = head;
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "transactions", accounts: [accounts[0]!] });
    await service.run("devnet.faucet", { address: accounts[0] });
    await service.mine(3);
    const [before] = await client.has(subscription, "transaction");
    await service.run("devnet.revert", { id });
    const [reverted] = await client.has(subscription, "reverted");
    expect(reverted!.event).toEqual({ type: "reverted", mc_seqno: base });
    await service.run("devnet.faucet", { address: accounts[0], amount: "7" });
    await service.mine(4);
    await client.has(subscription, "transaction", 2);
    const later = await open();
    const resumed = await later.subscribe({
      kind: "transactions",
      accounts: [accounts[0]!],
      from: before!.cursor,
    });
    await later.has(resumed.subscription, "transaction");
    const [first, ...rest] = later.of(resumed.subscription);
    expect(first!.event).toEqual({ type: "reverted", mc_seqno: base });
    expect(transactionsOf(rest).map(({ hash }) => hash)).toEqual(
      transactionsOf(client.of(subscription).slice(-1)).map(({ hash }) => hash),
    );
  });

  it("refuse cursors of other chains, and forged ones do no harm", async () => {
    const client = await open();
    const forged = (text: string) => Buffer.from(text).toString("base64url");
    const [, ...parts] = Buffer.from((await all({ kind: "blocks" })).at(-1)!.cursor!, "base64url")
      .toString()
      .split(".");
    const chain = parts.at(-1);
    for (const cursor of [forged("c1.1.9.0...ffffffff"), forged("c1.x.9.0...ffffffff"), "A".repeat(5000)]) {
      const { error } = await client.ask("subscribe", { kind: "blocks", from: cursor });
      expect(error).toMatchObject({ code: -32602, data: { param: "from" } });
    }
    for (const key of ["1.9.0.", "1.99.99999999999999999999.x", "0.9.0."]) {
      const { subscription } = await client.subscribe({
        kind: "blocks",
        from: forged(`c1.${key}..${chain}`),
        to: 3,
      });
      await client.has(subscription, "end");
    }
  });
});
