import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { sized, variants } from "../../helpers/effort.js";
import { type Params, TestSubscriber } from "../../helpers/http/test-subscriber.js";
import { type DevnetService, startDevnetService } from "../../helpers/services/devnet-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

type Sent = { lt: string; hash: string; account: string };
const accounts = ["5A", "6B", "7C"].map((byte) => `0:${byte.repeat(32)}`);
const everything = { kind: "transactions", from: { mc_seqno: 1 } };

describe("subscriptions", () => {
  let service: DevnetService;
  let head: number;
  beforeAll(async () => {
    service = await startDevnetService({ index: true });
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

  it("send every transaction of the index once, in its order", async () => {
    const sent = transactionsOf(await all({}));
    const { transactions } = (await service.get("/api/v3/transactions?limit=1000&sort=asc")).json as {
      transactions: Sent[];
    };
    const named = ({ lt, hash }: Sent) => `${lt}.${hash}`;
    expect(sent.map(named).sort()).toEqual(transactions.map(named).sort());
    expect(new Set(sent.map(named)).size).toBe(sent.length);
  });

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

  it("send exactly the events that their filters match", async () => {
    const sent = transactionsOf(await all({})) as (Sent & { in_msg?: { opcode?: string | null } })[];
    const opcodes = [...new Set(sent.flatMap(({ in_msg }) => in_msg?.opcode ?? []))];
    for (const bits of variants([5], [1, 2, 3, 4, 6, 7])) {
      const chosen = accounts.filter((_, at) => bits & (1 << at));
      for (const filter of [
        { accounts: chosen },
        { accounts: chosen, opcodes },
        { workchain: 0 },
        { opcodes },
      ]) {
        if ("opcodes" in filter && opcodes.length === 0) continue;
        const expected = sent.filter(
          ({ account, in_msg }) =>
            (!("accounts" in filter) || filter.accounts!.includes(account)) &&
            (!("opcodes" in filter) || opcodes.includes(in_msg?.opcode ?? "")) &&
            (!("workchain" in filter) || account.startsWith("0:")),
        );
        expect(transactionsOf(await all(filter)).map(({ hash }) => hash)).toEqual(
          expected.map(({ hash }) => hash),
        );
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

  it("receive a revert with their own place while they are behind its base", async () => {
    const asked = { kind: "transactions", from: { mc_seqno: 1 }, window: 1 };
    const base = await service.mine(1);
    const before = transactionsOf(await all({ to: base }));
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const client = await open();
    const { subscription } = await client.subscribe(asked);
    const [first] = await client.has(subscription, "transaction");
    const watcher = await open();
    const newest = await watcher.subscribe({ kind: "blocks" });
    await service.mine(2);
    await watcher.has(newest.subscription, "block", 2);
    await service.run("devnet.revert", { id });
    // Once a subscriber at the head has received it, the hub has reverted.
    await watcher.has(newest.subscription, "reverted");
    await client.run("subscription.ack", { subscription, cursor: first!.cursor });
    const [reverted] = await client.has(subscription, "reverted");
    expect(reverted!.event).toEqual({ type: "reverted", mc_seqno: base });
    client.close();
    const rest = await all({ from: reverted!.cursor, to: base });
    expect(transactionsOf(rest)).toEqual(before.slice(1));
  });

  it("go on behind the cursor of a block that was reverted and made again", async () => {
    const { id } = await service.run<{ id: string }>("devnet.snapshot");
    const client = await open();
    const asked = { kind: "transactions", accounts: [accounts[1]!] };
    const { subscription } = await client.subscribe(asked);
    const send = () => service.run("devnet.faucet", { address: accounts[1] });
    await send();
    await service.mine(2);
    const [before] = await client.has(subscription, "transaction");
    await service.run("devnet.revert", { id });
    await client.has(subscription, "reverted");
    await send();
    await service.mine(2);
    const [, again] = await client.has(subscription, "transaction", 2);
    expect(again).toEqual(before);
    await send();
    await service.mine(2);
    const later = await open();
    const resumed = await later.subscribe({ ...asked, from: before!.cursor });
    await later.has(resumed.subscription, "transaction");
    const [, , next] = await client.has(subscription, "transaction", 3);
    expect(recordsOf(later.of(resumed.subscription)).map(({ id }) => id)).toEqual([next!.id]);
    expect(later.of(resumed.subscription).map(({ event }) => event.type)).not.toContain("reverted");
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
