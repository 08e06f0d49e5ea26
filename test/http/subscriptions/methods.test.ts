import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { notification, tonNotification } from "../../../shared/schema/streams/subscription-events.js";
import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { variants } from "../../helpers/effort.js";
import { RawEventStream } from "../../helpers/http/event-stream.js";
import { type Params, TestSubscriber } from "../../helpers/http/test-subscriber.js";
import type { DevnetService } from "../../helpers/services/devnet-service.js";
import { sharedService } from "../../helpers/services/shared-service.js";
import { streamsReady } from "../../helpers/services/streams-ready.js";
import { until } from "../../helpers/until.js";

const someone = `0:${"5A".repeat(32)}`;
const another = `0:${"6B".repeat(32)}`;
const paths = variants(["/jsonRPC"], ["/api/v2/jsonRPC"]);

let service: DevnetService;
beforeAll(async () => {
  service = await sharedService("indexed");
  await streamsReady(service);
});
afterAll(() => service?.close());

const open = async (key: string | undefined = service.key, path = "/jsonRPC") => {
  const opened = await TestSubscriber.open(service.url, key, path);
  onTestFinished(() => opened.close());
  return opened;
};
const pay = async (address = someone) => {
  await service.run("devnet.faucet", { address });
  return service.mine(2);
};

describe("subscribe", () => {
  it.each(paths)("sends records of every kind over %s", async (path) => {
    const client = await open(undefined, path);
    const accounts = [someone];
    const started = await client.subscribe({ kind: "transactions", accounts });
    expect(started).toEqual({
      subscription: "1",
      cursor: expect.any(String),
      head: { seqno: expect.any(Number), gen_utime: expect.any(Number) },
    });
    const ids = [started.subscription];
    for (const kind of ["blocks", "actions", "traces", "accounts"])
      ids.push((await client.subscribe({ kind, ...(kind !== "blocks" && { accounts }) })).subscription);
    expect(ids).toEqual(["1", "2", "3", "4", "5"]);
    await pay();
    const [transaction] = await client.has("1", "transaction");
    const [block] = await client.has("2", "block");
    const [action] = await client.has("3", "action");
    const [trace] = await client.has("4", "trace");
    const [account] = await client.has("5", "account");
    for (const each of [transaction, block, action, trace, account]) {
      const text = { jsonrpc: "2.0", method: "subscription", params: each };
      expect(notification.parse(text)).toEqual(text);
      expect(each).toMatchObject({
        cursor: expect.any(String),
        finality: "finalized",
        id: expect.any(String),
      });
    }
    const { transactions } = await listed(`transactions?account=${someone}&limit=1`);
    expect(transaction!.event).toEqual({ type: "transaction", transaction: transactions[0] });
    expect(transaction!.id).toBe(`${transactions[0].lt}.${transactions[0].hash}`);
    const { actions } = await listed(`actions?account=${someone}&limit=1&include_accounts=true`);
    expect(action!.event).toEqual({ type: "action", action: actions[0] });
    const { traces } = await listed(`traces?account=${someone}&limit=1&include_actions=true`);
    expect(trace!.event).toEqual({ type: "trace", trace: traces[0] });
    const { account_state_after: state } = transactions[0];
    expect(account!.event).toMatchObject({
      type: "account",
      account: someone,
      lt: transactions[0].lt,
      state: { hash: state.hash, balance: state.balance, account_status: state.account_status },
    });
    const { seqno } = (block!.event as { block: { seqno: number } }).block;
    const { blocks } = await listed(`masterchainBlockShards?seqno=${seqno}`);
    expect(block!.event).toEqual({
      type: "block",
      block: blocks.find(({ workchain }: { workchain: number }) => workchain === -1),
      shards: blocks
        .filter(({ workchain }: { workchain: number }) => workchain !== -1)
        .map(({ workchain, shard, seqno }: Record<string, unknown>) => ({ workchain, shard, seqno })),
    });
  });

  it("ends a subscription to a trace when it is complete, also when that is long ago", async () => {
    await pay();
    const { traces } = await listed(`traces?account=${someone}&limit=1`);
    const client = await open();
    for (const trace of [traces[0].trace_id, traces[0].external_hash]) {
      const { subscription } = await client.subscribe({ kind: "trace", trace });
      await client.has(subscription, "end");
      expect(client.of(subscription).map(({ event }) => event.type)).toEqual(["trace", "end"]);
      const end = client.of(subscription).at(-1)!;
      const again = await client.subscribe({ kind: "trace", trace, from: end.cursor });
      await client.has(again.subscription, "end");
      expect(client.of(again.subscription)).toHaveLength(1);
    }
  });

  it("sends books on request, and messages by default", async () => {
    const client = await open();
    const accounts = [someone];
    const plain = await client.subscribe({ kind: "transactions", accounts });
    const books = await client.subscribe({ kind: "transactions", accounts, include: ["address_book"] });
    await pay();
    const [whole] = await client.has(plain.subscription, "transaction");
    const [short] = await client.has(books.subscription, "transaction");
    expect(whole!.event).toMatchObject({ transaction: { in_msg: {}, out_msgs: [] } });
    expect(whole!.event).not.toHaveProperty("address_book");
    const { transaction, address_book } = short!.event as unknown as Record<string, Record<string, unknown>>;
    expect(transaction).not.toHaveProperty("in_msg");
    expect(transaction).not.toHaveProperty("out_msgs");
    expect(address_book).toHaveProperty([someone]);
  });

  it("sends the bags of cells of transactions on request", async () => {
    const client = await open();
    const params = { kind: "transactions", accounts: [someone] };
    const raw = { ...params, include: ["messages", "raw"] };
    const plain = await client.subscribe(params);
    const live = await client.subscribe(raw);
    await pay();
    await pay();
    const told = async (id: string) => {
      await until("both transactions", () => client.of(id).filter(isTransaction).length === 2);
      return client.of(id).filter(isTransaction);
    };
    const isTransaction = ({ event }: { event: { type: string } }) => event.type === "transaction";
    const [without, withRaw] = [await told(plain.subscription), await told(live.subscription)];
    for (const [at, { event, ...place }] of withRaw.entries()) {
      const { raw, ...rest } = event as unknown as { raw: string; transaction: { hash: string } };
      expect({ event: rest, ...place }).toEqual({ ...without[at], subscription: live.subscription });
      const { hash } = rest.transaction;
      expect(Buffer.from(parseBocRoot(Buffer.from(raw, "base64")).hash()).toString("base64")).toBe(hash);
    }
    const { transaction } = withRaw[1]!.event as unknown as { transaction: { mc_block_seqno: number } };
    const past = await client.subscribe({ ...raw, from: live.cursor, to: transaction.mc_block_seqno });
    await client.has(past.subscription, "end");
    expect(client.of(past.subscription).map(({ event }) => event)).toEqual([
      ...withRaw.map(({ event }) => event),
      { type: "end" },
    ]);
    expect(notification.parse({ jsonrpc: "2.0", method: "subscription", params: withRaw[0] }).params).toEqual(
      withRaw[0],
    );
  });

  it("sends a message before it is final, and replaces those events", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({
      kind: "transactions",
      accounts: [someone],
      finality: "pending",
    });
    await pay();
    await until("the final form", () =>
      client.events(subscription, "transaction").some(({ finality }) => finality === "finalized"),
    );
    const told = client.events(subscription, "transaction");
    const known = new Set<string>();
    for (const { id, replaces, finality, cursor } of told) {
      if (replaces !== undefined) expect(known.delete(replaces)).toBe(true);
      known.add(id!);
      expect(cursor === undefined).toBe(finality !== "finalized");
    }
    // Each step is about the same transaction.
    expect(known.size).toBe(1);
    const levels = ["pending", "confirmed", "finalized"];
    const steps = told.map(({ finality }) => levels.indexOf(finality!));
    expect(steps).toEqual([...steps].sort());
  });

  it("sends accounts that the devnet edits without a transaction, live and from a cursor", async () => {
    const client = await open();
    const stream = RawEventStream.open(
      service.url,
      { types: ["account_state_change"], addresses: [someone] },
      { key: service.key },
    );
    onTestFinished(() => stream.close());
    await until("the stream", () => stream.frames.length === 1);
    const params = { kind: "accounts", accounts: [someone] };
    const { subscription, cursor } = await client.subscribe(params);
    await pay();
    const [paid] = await client.has(subscription, "account");
    for (const balance of ["5", "7"]) await service.run("devnet.setBalance", { address: someone, balance });
    const all = await client.has(subscription, "account", 3);
    expect(all.slice(1).map(({ event }) => event)).toMatchObject(
      ["5", "7"].map((balance) => ({ type: "account", account: someone, state: { balance } })),
    );
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    expect(new Set(all.map(({ event }) => (event as unknown as { lt: string }).lt)).size).toBe(1);
    await until("the same in TON Center's protocol", () => stream.events.length === 4);
    const states = stream.events.slice(1).map(({ state }) => (state as { balance: string }).balance);
    expect(states).toEqual([
      (paid!.event as unknown as { state: { balance: string } }).state.balance,
      "5",
      "7",
    ]);
    const again = await client.subscribe({ ...params, from: cursor });
    expect(await client.has(again.subscription, "account", 3)).toMatchObject(
      all.map(({ event, id, cursor }) => ({ event, id, cursor })),
    );
  });

  it("refuses bad parameters, with their names", async () => {
    const client = await open();
    const refused: [params: object, param: string][] = [
      [{}, "kind"],
      [{ kind: "nonsense" }, "kind"],
      [{ kind: 5 }, "kind"],
      [{ kind: "transactions", accounts: ["nowhere"] }, "accounts"],
      [{ kind: "transactions", accounts: [5] }, "accounts"],
      [{ kind: "transactions", opcodes: ["x"] }, "opcodes"],
      [{ kind: "transactions", accounts: [someone], finality: "certain" }, "finality"],
      [{ kind: "transactions", accounts: [someone], include: ["everything"] }, "include"],
      [{ kind: "transactions", accounts: [someone], window: 0 }, "window"],
      [{ kind: "transactions", accounts: [someone], window: 10_001 }, "window"],
      [{ kind: "transactions", accounts: [someone], from: "nonsense" }, "from"],
      [{ kind: "transactions", accounts: [someone], from: { mc_seqno: -1 } }, "from"],
      [{ kind: "transactions", accounts: [someone], from: { mc_seqno: 1, lt: "1" } }, "from"],
      [{ kind: "transactions", accounts: [someone], to: -1 }, "to"],
      [{ kind: "trace", trace: "short" }, "trace"],
    ];
    for (const [params, param] of refused)
      expect([params, (await client.ask("subscribe", params)).error]).toMatchObject([
        params,
        { code: -32602, data: { param } },
      ]);
    const others: object[] = [
      { kind: "trace" },
      { kind: "blocks", accounts: [someone] },
      { kind: "blocks", include: ["raw"] },
      { kind: "accounts", accounts: [someone], opcodes: ["0x1"] },
      { kind: "transactions", opcodes: Array(501).fill("0x1") },
    ];
    for (const params of others)
      expect((await client.ask("subscribe", params)).error).toMatchObject({ code: -32602 });
    expect(client.of("1")).toEqual([]);
  });

  it("refuses kinds and amounts beyond the plan, and names the limit", async () => {
    const client = await open("");
    const limit = async (params: object) => {
      const { error } = await client.ask("subscribe", params);
      expect(error).toMatchObject({ code: -32000, data: { code: 429 } });
      return (error!.data as { limit: string }).limit;
    };
    const many = Array.from({ length: 101 }, (_, at) => `0:${at.toString(16).padStart(64, "0")}`);
    expect(await limit({ kind: "accounts", accounts: many })).toBe("accounts");
    expect(await limit({ kind: "transactions" })).toBe("firehose");
    for (let at = 0; at < 5; at++) await client.subscribe({ kind: "blocks" });
    expect(await limit({ kind: "blocks" })).toBe("subscriptions");
    const second = await open("");
    await second.subscribe({ kind: "blocks" });
    const third = await open("");
    expect((await third.ask("subscribe", { kind: "blocks" })).error).toMatchObject({
      data: { limit: "connections" },
    });
    // The freed holdings can be used immediately.
    await second.run("unsubscribe", { subscription: "1" });
    await third.subscribe({ kind: "blocks" });
  });

  it("needs a WebSocket", async () => {
    for (const [method, params] of [
      ["subscribe", { kind: "blocks" }],
      ["unsubscribe", { subscription: "1" }],
      ["ton_subscribe", { kind: "blocks", filter: { form: "x" } }],
      ["ton_unsubscribe", { subscription: "1" }],
      ["subscription.update", { subscription: "1" }],
      ["subscription.ack", { subscription: "1", cursor: "x" }],
    ] as const) {
      const answer = await service.rpc(method, params);
      expect(answer).toMatchObject({
        error: { code: -32601, message: "Method not found", data: { reason: "needs a WebSocket" } },
      });
    }
  });
});

describe("unsubscribe", () => {
  it("ends a subscription, and answers whether there was one", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "blocks" });
    const other = await client.subscribe({ kind: "blocks" });
    expect(await client.run("unsubscribe", { subscription })).toBe(true);
    expect(await client.run("unsubscribe", { subscription })).toBe(false);
    expect(await client.run("unsubscribe", { subscription: "nonsense" })).toBe(false);
    await service.mine(1);
    await client.has(other.subscription, "block");
    expect(client.of(subscription)).toEqual([]);
  });
});

describe("ton_subscribe", () => {
  const accounts = [someone];

  it("answers with the id alone, then sends the events of `subscribe`, as `ton_subscription` with a result", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "transactions", accounts });
    const ids = [
      await client.run("ton_subscribe", ["transactions", { accounts }]),
      await client.run("ton_subscribe", { kind: "transactions", filter: { accounts } }),
      await client.run("ton_subscribe", [{ kind: "transactions", filter: { accounts } }]),
    ];
    expect([subscription, ...ids]).toEqual(["1", "2", "3", "4"]);
    await pay();
    const [{ subscription: _, ...wanted }] = (await client.has("1", "transaction")) as [Params];
    for (const id of ids as string[]) {
      const [sent] = await client.has(id, "transaction");
      expect(sent).toEqual({ subscription: id, ...wanted });
    }
    const texts = client.messages.filter((each) => "params" in each && each.params.subscription === "2");
    expect(texts).toEqual([
      { jsonrpc: "2.0", method: "ton_subscription", params: { subscription: "2", result: wanted } },
    ]);
    expect(tonNotification.parse(texts[0])).toEqual(texts[0]);
  });

  it("needs no filter, at TON Center's path neither, where parameters have names", async () => {
    const client = await open(undefined, "/api/v2/jsonRPC");
    const id = await client.run<string>("ton_subscribe", { kind: "blocks" });
    await service.mine(1);
    await client.has(id, "block");
    expect((await client.ask("ton_subscribe", ["blocks"])).error).toMatchObject({ code: -32602 });
  });

  it("answers before the first event in a batch of both forms", async () => {
    const client = await open();
    const past = { from: { mc_seqno: 1 }, to: 2 };
    const calls = [
      ["subscribe", { kind: "blocks", ...past }],
      ["ton_subscribe", ["blocks", past]],
      ["ton_subscribe", { kind: "blocks", filter: past }],
      ["ton_subscribe", ["blocks", { form: "x" }]],
      ["ton_unsubscribe", ["99"]],
    ];
    client.socket.send(calls.map(([method, params], id) => ({ jsonrpc: "2.0", id, method, params })));
    for (const id of ["1", "2", "3"]) await client.has(id, "end");
    expect(client.messages[0]).toMatchObject([
      { id: 0, result: { subscription: "1" } },
      { id: 1, result: "2" },
      { id: 2, result: "3" },
      { id: 3, error: { code: -32602 } },
      { id: 4, result: false },
    ]);
    for (const id of ["1", "2", "3"]) expect(client.events(id, "block")).toHaveLength(2);
  });

  it("refuses the requests that `subscribe` refuses, with the same error, and filters that it does not have", async () => {
    const client = await open();
    const refused: { kind?: unknown; [name: string]: unknown }[] = [
      { kind: "nonsense" },
      {},
      { kind: "transactions", accounts: ["nowhere"] },
      { kind: "transactions", accounts, window: 0 },
      { kind: "transactions", accounts, from: "nonsense" },
      { kind: "transactions", acounts: accounts },
      { kind: "trace" },
      { kind: "blocks", accounts },
    ];
    for (const { kind, ...filter } of refused) {
      const { error } = await client.ask("subscribe", { kind, ...filter });
      expect(error).toMatchObject({ code: -32602 });
      expect((await client.ask("ton_subscribe", [kind ?? null, filter])).error).toEqual(error);
      expect((await client.ask("ton_subscribe", { kind, filter })).error).toEqual(error);
    }
    for (const filter of ["text", 5, [], [accounts], true])
      expect((await client.ask("ton_subscribe", ["blocks", filter])).error).toMatchObject({
        code: -32602,
        data: { param: "filter" },
      });
    expect((await client.ask("ton_subscribe", ["blocks", {}, {}])).error).toMatchObject({
      message: "too many parameters: the method takes kind, filter",
    });
    expect(client.params).toEqual([]);
  });
});

describe("ton_unsubscribe", () => {
  it("ends a subscription of either form, and answers whether there was one", async () => {
    const client = await open();
    const other = await client.run<string>("ton_subscribe", ["blocks"]);
    const { subscription } = await client.subscribe({ kind: "blocks" });
    const ended = await client.run<string>("ton_subscribe", ["blocks"]);
    expect(await client.run("ton_unsubscribe", [subscription])).toBe(true);
    expect(await client.run("unsubscribe", { subscription: ended })).toBe(true);
    for (const unknown of [subscription, ended, "nonsense", "9".repeat(100)])
      expect(await client.run("ton_unsubscribe", [unknown])).toBe(false);
    expect((await client.ask("ton_unsubscribe", [])).error).toMatchObject({
      code: -32602,
      data: { param: "subscription" },
    });
    await service.mine(1);
    await client.has(other, "block");
    expect([...client.of(subscription), ...client.of(ended)]).toEqual([]);
  });
});

describe("subscription.update", () => {
  it("changes the events behind the cursor it answers with", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "transactions", accounts: [someone] });
    await client.run("subscription.update", {
      subscription,
      add: { accounts: [another] },
      remove: { accounts: [someone] },
    });
    await pay(someone);
    await pay(another);
    const found = await client.has(subscription, "transaction");
    expect(
      found.map(({ event }) => (event as { transaction: { account: string } }).transaction.account),
    ).toEqual([another]);
    const { cursor } = await client.run<{ cursor: string }>("subscription.update", {
      subscription,
      remove: { accounts: [another] },
    });
    expect(cursor).toEqual(expect.any(String));
    const blocks = await client.subscribe({ kind: "blocks" });
    await pay(another);
    await client.has(blocks.subscription, "block", 2);
    // Without accounts nothing is sent, instead of everything.
    expect(client.events(subscription, "transaction")).toHaveLength(1);
  });

  it("refuses unknown subscriptions, and lists that the kind does not have", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "accounts", accounts: [someone] });
    expect((await client.ask("subscription.update", { subscription: "9" })).error).toMatchObject({
      code: -32000,
      data: { code: 404, kind: "absent" },
    });
    expect(
      (await client.ask("subscription.update", { subscription, add: { opcodes: ["0x1"] } })).error,
    ).toMatchObject({ code: -32602, data: { param: "opcodes" } });
    expect(
      (await client.ask("subscription.update", { subscription, add: { accounts: ["x"] } })).error,
    ).toMatchObject({ code: -32602, data: { param: "add" } });
  });
});

describe("subscription.ack", () => {
  it("lets events come within the window only", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({
      kind: "blocks",
      from: { mc_seqno: 1 },
      to: 10,
      window: 2,
    });
    if ((await service.mine(1)) < 10) await service.mine(10);
    const seqnos = () =>
      client
        .events(subscription, "block")
        .map(({ event }) => (event as { block: { seqno: number } }).block.seqno);
    for (let taken = 2; taken <= 10; taken += 2) {
      const events = await client.has(subscription, "block", taken);
      // The connection still answers calls, but no further event comes.
      await client.run("rpc.ping", {});
      expect(seqnos()).toEqual(Array.from({ length: taken }, (_, at) => at + 1));
      expect(await client.run("subscription.ack", { subscription, cursor: events.at(-1)!.cursor })).toBe(
        true,
      );
    }
    await client.has(subscription, "end");
    expect(seqnos()).toHaveLength(10);
  });

  it("refuses cursors that are none, and of other chains", async () => {
    const client = await open();
    const { subscription } = await client.subscribe({ kind: "blocks" });
    const foreign = Buffer.from("c1.1.9.0...deadbeef").toString("base64url");
    for (const cursor of ["", "nonsense", foreign, "x".repeat(10_000)]) {
      const { error } = await client.ask("subscription.ack", { subscription, cursor });
      expect(error).toMatchObject({ code: -32602, data: { param: "cursor" } });
    }
  });
});

// biome-ignore lint/suspicious/noExplicitAny: records are compared as a whole
async function listed(path: string): Promise<any> {
  return (await service.get(`/api/v3/${path}`)).json;
}
