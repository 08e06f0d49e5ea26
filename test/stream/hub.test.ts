import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import { compareKeys, cursorOf, type EventKey, endOf, keyOfCursor } from "../../server/stream/event-key.js";
import { startOf } from "../../server/stream/feed-start.js";
import type { EventType, Filter, RecordType } from "../../server/stream/filter.js";
import { choiceOf, filterOf } from "../../server/stream/record-filter.js";
import { subscribeParams } from "../../shared/schema/subscription-params.js";
import { parseBocRoot } from "../../shared/ton/cells/boc.js";
import { LiteError } from "../../shared/ton/lite/lite-api.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong, sized } from "../helpers/effort.js";
import { classifier } from "../helpers/index/classifier.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";
import { atBlock, filterWith, openHub, SlowSink, TestSink, type Told } from "./hub-world.js";

type Listed = Record<string, unknown> & {
  hash: string;
  account: string;
  trace_id: string;
  action_id: string;
};
const finalOnes: EventType[] = ["transactions", "actions", "account_state_change", "jettons_change", "trace"];

/** All pages of a v3 list. */
async function listAll(app: StoryApp, path: string, member: string, query = ""): Promise<Listed[]> {
  const all: Listed[] = [];
  for (;;) {
    const page = await app.v3<Record<string, Listed[]>>(`${path}?limit=500&offset=${all.length}${query}`);
    all.push(...page[member]!);
    if (page[member]!.length < 500) return all;
  }
}

const byHash = (a: Listed, b: Listed) => (a.hash < b.hash ? -1 : 1);
const byAction = (a: Listed, b: Listed) => (a.action_id < b.action_id ? -1 : 1);

describe.each(databaseKinds)("the hub, on %s", (_, open) => {
  let devnet: Awaited<ReturnType<typeof sharedStory>>;
  let fresh: FreshDatabase;
  let app: StoryApp;
  let world: Awaited<ReturnType<typeof openHub>>;
  beforeAll(async () => {
    devnet = await sharedStory();
    fresh = await open(storyIndex);
    await index();
    app = await startStoryApp(devnet, fresh.database);
    world = await openHub(devnet, fresh.database);
    await world.reaches(await headOf(devnet));
  });
  afterAll(async () => {
    await world?.close();
    await app?.close();
    await fresh?.close();
    await devnet?.close();
  });

  const index = () =>
    indexAll(fresh.database, devnet.api, {
      events: devnet.events,
      mayRevert: true,
      detection: devnet.detection,
      classifier,
    });
  const subscribe = (filter: Filter, after?: EventKey) => {
    const sink = new TestSink();
    const subscription = world.hub.subscribe(sink, filter, { after });
    onTestFinished(() => world.hub.unsubscribe(subscription));
    return { sink, subscription };
  };
  /** A subscription that has received everything from a key on. */
  const replay = async (filter: Filter, after: EventKey) => {
    const { sink, subscription } = subscribe(filter, after);
    await until("the replay", () => subscription.next === undefined);
    return sink;
  };
  const mineAndIndex = async (blocks: number) => {
    await devnet.controls.mine(blocks);
    await index();
    await world.reaches(await headOf(devnet));
  };

  it("sends every transaction, action and trace of the index once, equal to the lists", async () => {
    const transactions = await listAll(app, "transactions", "transactions");
    const traces = await listAll(app, "traces", "traces");
    const actions = await listAll(app, "actions", "actions", "&include_accounts=true");
    const complete = traces.filter(
      ({ trace_info }) => (trace_info as { trace_state: string }).trace_state === "complete",
    );
    const ofComplete = new Set(complete.map(({ trace_id }) => trace_id));
    const accounts = new Set(transactions.map(({ account }) => account));
    for (const { accounts: own } of actions) for (const account of own as string[]) accounts.add(account);
    const types = new Set<EventType>(["transactions"]);
    const named = await replay(filterWith({ types, addresses: accounts }), atBlock(0));
    const names = new Set(named.events.map((event) => event["trace_external_hash_norm"] as string));
    expect(names.size).toBe(complete.length);
    const filter = filterWith({ types: new Set(finalOnes), addresses: accounts, traces: names });
    const sink = await replay(filter, atBlock(0));

    const told = sink.ofType("transactions").flatMap((event) => event["transactions"] as Listed[]);
    expect(told.sort(byHash)).toEqual(
      transactions.filter(({ trace_id }) => ofComplete.has(trace_id)).sort(byHash),
    );
    const toldActions = sink.ofType("actions").flatMap((event) => event["actions"] as Listed[]);
    expect(toldActions.sort(byAction)).toEqual(actions.sort(byAction));
    const wallets = new Map(
      sink.ofType("jettons_change").map((event) => {
        const jetton = event["jetton"] as { address: string };
        return [jetton.address, jetton];
      }),
    );
    expect(wallets.size).toBeGreaterThan(0);
    for (const wallet of await listAll(app, "jetton/wallets", "jetton_wallets"))
      if (accounts.has(wallet["address"] as string))
        expect(wallets.get(wallet["address"] as string)).toEqual(wallet);
    const byRoot = new Map(traces.map((each) => [(each["trace"] as { tx_hash: string }).tx_hash, each]));
    for (const event of sink.ofType("trace")) {
      const { tx_hash } = event["trace"] as { tx_hash: string };
      const listed = byRoot.get(tx_hash);
      // A difference between traces takes minutes to print.
      expect([tx_hash, isDeepStrictEqual(event["trace"], listed!["trace"])]).toEqual([tx_hash, true]);
      expect([tx_hash, isDeepStrictEqual(event["transactions"], listed!["transactions"])]).toEqual([
        tx_hash,
        true,
      ]);
    }
    expect(sink.ofType("trace").length).toBeGreaterThan(10);
    const states = new Map(sink.ofType("account_state_change").map((event) => [event["account"], event]));
    for (const account of [...accounts].slice(0, 20)) {
      const {
        accounts: [state],
      } = await app.v3<{ accounts: Listed[] }>(`accountStates?address=${account}`);
      if (state)
        expect(states.get(account)?.["state"]).toMatchObject({
          hash: state["account_state_hash"],
          balance: state["balance"],
        });
    }
    // The order is total.
    const keys = sink.keys as EventKey[];
    for (const [at, key] of keys.entries())
      if (at > 0) expect(compareKeys(keys[at - 1]!, key)).toBeLessThan(0);
    expect(sink.events.every(({ finality }) => finality === "finalized")).toBe(true);

    // A client that resumes after an event receives exactly the later ones.
    const places = Array.from({ length: 8 }, (_, eighth) => Math.floor((keys.length * eighth) / 8));
    for (const at of isLong ? places : places.slice(-1)) {
      const resumed = await replay(filter, keyOfCursor(cursorOf(keys[at]!, "00000000"), "00000000")!);
      expect([at, isDeepStrictEqual(resumed.events, sink.events.slice(at + 1))]).toEqual([at, true]);
    }
    // A narrow subscription receives exactly the matching part.
    for (const account of [...accounts].slice(0, sized(1, 5))) {
      const narrow = await replay(
        filterWith({ types: new Set(["transactions"]), addresses: new Set([account]) }),
        atBlock(0),
      );
      const own = (event: Told) =>
        (event["transactions"] as Listed[]).filter((transaction) => transaction.account === account);
      expect(narrow.events.map(own)).toEqual(
        sink.ofType("transactions").flatMap((event) => (own(event).length > 0 ? [own(event)] : [])),
      );
    }
  });

  it("sends jetton wallets as in the list, by wallet, owner and jetton", async () => {
    type Wallet = Record<"address" | "owner" | "jetton", string>;
    const told = async (params: object) => {
      const choice = choiceOf(subscribeParams.parse({ kind: "jettons", ...params }), undefined);
      const { events } = await replay(filterOf(choice), atBlock(0));
      return events.map(({ jetton }) => jetton as Wallet);
    };
    const all = await told({});
    const last = new Map(all.map((wallet) => [wallet.address, wallet]));
    const listed = (await listAll(app, "jetton/wallets", "jetton_wallets")) as unknown as Wallet[];
    expect(listed.length).toBeGreaterThan(1);
    for (const wallet of listed) expect(last.get(wallet.address)).toEqual(wallet);
    for (const { address, owner, jetton } of listed.slice(0, sized(1, 4))) {
      const isOf = (account: string) => (wallet: Wallet) =>
        wallet.address === account || wallet.owner === account;
      expect(await told({ accounts: [address] })).toEqual(all.filter(isOf(address)));
      expect(await told({ accounts: [owner] })).toEqual(all.filter(isOf(owner)));
      const ofJetton = all.filter((wallet) => wallet.jetton === jetton);
      expect(await told({ jetton_masters: [jetton] })).toEqual(ofJetton);
      expect(await told({ accounts: [owner], jetton_masters: [jetton] })).toEqual(
        ofJetton.filter(isOf(owner)),
      );
    }
  });

  it("sends a message as expected, in a block, and in the index, never backwards", async () => {
    const wallet = new TestWallet("finality", "v4r2");
    const receiver = new Address(0, new Uint8Array(32).fill(5));
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 50n * ton);
    await mineAndIndex(3);
    const addresses = new Set([wallet.address.toRawUpper(), receiver.toRawUpper()]);
    const types = new Set<EventType>(["transactions", "actions", "account_state_change"]);
    const all = subscribe(filterWith({ types, addresses, minFinality: "pending", withAddressBook: true }));
    const confirmed = subscribe(filterWith({ types, addresses, minFinality: "confirmed" }));
    const finalized = subscribe(filterWith({ types, addresses }));
    await devnet.api.sendMessage({
      body: wallet.pay({ to: receiver, value: ton, bounce: false }),
    });
    await until("the expected trace", () => all.sink.ofType("actions").length === 1);
    expect(all.sink.ofType("transactions")).toMatchObject([
      {
        finality: "pending",
        transactions: [
          { account: receiver.toRawUpper(), emulated: true },
          { account: wallet.address.toRawUpper(), emulated: true },
        ],
      },
    ]);
    expect(Object.keys(all.sink.events[0]!["address_book"] as object).sort()).toEqual([...addresses].sort());
    await devnet.controls.mine(2);
    await until("the confirmed trace", () => confirmed.sink.ofType("actions").length === 1);
    expect(confirmed.sink.ofType("account_state_change")).toMatchObject([
      { finality: "confirmed", account: wallet.address.toRawUpper(), state: { account_status: "active" } },
      { finality: "confirmed", account: receiver.toRawUpper(), state: { balance: String(ton) } },
    ]);
    expect(finalized.sink.events).toEqual([]);
    await index();
    await world.reaches(await headOf(devnet));
    for (const [{ sink }, levels] of [
      [all, ["pending", "confirmed", "finalized"]],
      [confirmed, ["confirmed", "finalized"]],
      [finalized, ["finalized"]],
    ] as const) {
      for (const type of ["transactions", "actions"])
        expect(sink.ofType(type).map(({ finality }) => finality)).toEqual(levels);
      expect(sink.ofType("trace_invalidated")).toEqual([]);
    }
    const names = all.sink.events.flatMap((event) => event["trace_external_hash_norm"] ?? []);
    expect(new Set(names).size).toBe(1);
    // Nothing more follows.
    const count = all.sink.events.length;
    await mineAndIndex(2);
    expect(all.sink.events).toHaveLength(count);
  });

  it("invalidates a trace that does not come true, once, and only for its receivers", async () => {
    const wallet = new TestWallet("refused", "v4r2");
    const twin = new TestWallet("refused", "v4r2");
    const receiver = new Address(0, new Uint8Array(32).fill(6));
    const other = new Address(0, new Uint8Array(32).fill(7));
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 50n * ton);
    await mineAndIndex(3);
    const filter = filterWith({
      types: new Set(["transactions"]),
      addresses: new Set([receiver, other].map((address) => address.toRawUpper())),
      minFinality: "pending",
    });
    const { sink } = subscribe(filter);
    const finalized = subscribe({ ...filter, minFinality: "finalized" });
    // Both have the same sequence number, so that only one can be accepted in a block.
    await devnet.api.sendMessage({ body: wallet.pay({ to: receiver, value: ton, bounce: false }) });
    await devnet.api.sendMessage({ body: twin.pay({ to: other, value: ton, bounce: false }) });
    await until("both to be expected", () => sink.events.length === 2);
    await mineAndIndex(2);
    await until("one to be taken back", () => sink.ofType("trace_invalidated").length === 1);
    await mineAndIndex(1);
    expect(sink.ofType("trace_invalidated")).toHaveLength(1);
    const [{ trace_external_hash_norm: gone }] = sink.ofType("trace_invalidated") as [Told];
    const kept = finalized.sink.events.map((event) => event["trace_external_hash_norm"]);
    expect(kept).toHaveLength(1);
    expect(kept).not.toContain(gone);
    expect(finalized.sink.ofType("trace_invalidated")).toEqual([]);
  });

  it.runIf(isLong)(
    "looks for the blocks of few accounts by their indexes, however many blocks lie between",
    async () => {
      const address = new Address(0, new Uint8Array(32).fill(11));
      const before = atBlock((await headOf(devnet)) + 1);
      /** Sends a payment and returns the reads needed to report it by now. */
      const costAfter = async (blocks: number) => {
        await devnet.controls.faucet({ workchain: 0, id: address.hash }, ton);
        await mineAndIndex(blocks);
        const { resumedUnits } = world.hub.counts;
        const statements = world.statements();
        for (const types of [
          ["transaction"],
          ["account", "trace_record"],
          ["transactions", "actions"],
        ] as const) {
          const filter = filterWith({ types: new Set(types), addresses: new Set([address.toRawUpper()]) });
          const isOwn = types[0] !== "transactions";
          const own = isOwn ? { ...filter, requires: new Set(["accounts" as const]) } : filter;
          const { events } = await replay(own, before);
          expect(events.length).toBeGreaterThan(0);
        }
        return {
          units: world.hub.counts.resumedUnits - resumedUnits,
          statements: world.statements() - statements,
        };
      };
      const few = await costAfter(20);
      const many = await costAfter(120);
      // Another payment is another block, or two, for each of the three.
      expect(many.units).toBeLessThanOrEqual(few.units * 2);
      expect(many.statements).toBeLessThan(few.statements * 2.5);
    },
  );

  it.runIf(isLong)("does not read a block again for each event that a client takes", async () => {
    const first = 1;
    const last = await headOf(devnet);
    const types = new Set<RecordType>(["transaction", "action"]);
    const filter = filterWith({ types, requires: new Set(), withMessages: true });
    const all = await replay(filter, atBlock(first));
    const sink = new SlowSink();
    const before = world.hub.counts.resumedUnits;
    const subscription = world.hub.subscribe(sink, filter, { after: atBlock(first), to: last });
    onTestFinished(() => world.hub.unsubscribe(subscription));
    while (sink.events.length < all.events.length) {
      await until("the next event", () => sink.isFull);
      sink.isFull = false;
      world.hub.resume(subscription);
    }
    expect(isDeepStrictEqual(sink.events, all.events)).toBe(true);
    const bytes = all.events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    const reads = world.hub.counts.resumedUnits - before;
    // Once, and again for events too long to be kept.
    expect(reads).toBeLessThanOrEqual(last - first + 1 + Math.ceil(bytes / 65_536) * 2);
    expect(reads).toBeLessThan(all.events.length);
  });

  it("invalidates events of reverted blocks, and sends the new blocks", async () => {
    const address = new Address(0, new Uint8Array(32).fill(10));
    const types = new Set<EventType>(["transactions"]);
    const { sink } = subscribe(filterWith({ types, addresses: new Set([address.toRawUpper()]) }));
    const bystander = subscribe(filterWith({ types, addresses: new Set([`0:${"77".repeat(32)}`]) }));
    await mineAndIndex(1);
    const { id } = await devnet.controls.snapshot();
    await devnet.controls.faucet({ workchain: 0, id: address.hash }, ton);
    await mineAndIndex(2);
    expect(sink.events.map(({ type }) => type)).toEqual(["transactions"]);
    await devnet.controls.revert(id);
    await devnet.controls.faucet({ workchain: 0, id: address.hash }, 2n * ton);
    await mineAndIndex(4);
    expect(sink.events.map(({ type }) => type)).toEqual([
      "transactions",
      "trace_invalidated",
      "transactions",
    ]);
    const [first, gone, second] = sink.events as [Told, Told, Told];
    expect(gone["trace_external_hash_norm"]).toBe(first["trace_external_hash_norm"]);
    expect(second["transactions"]).toMatchObject([{ in_msg: { value: String(2n * ton) } }]);
    expect(bystander.sink.events).toEqual([]);
  });

  it("reports a revert to clients with a void cursor before the hub has noticed it", async () => {
    const address = new Address(0, new Uint8Array(32).fill(11));
    const filter = filterWith({
      types: new Set(["transactions"]),
      addresses: new Set([address.toRawUpper()]),
    });
    await mineAndIndex(1);
    const { id } = await devnet.controls.snapshot();
    const base = await headOf(devnet);
    await mineAndIndex(3);
    const cursor = cursorOf(endOf(world.hub.head!), world.hub.chain);
    await devnet.controls.revert(id);
    // Equal blocks would be the same ones, of which the hub may have seen some or not.
    await devnet.controls.faucet({ workchain: 0, id: new Uint8Array(32).fill(12) }, ton);
    await devnet.controls.mine(1);
    await index();
    const start = await startOf(world.hub, { from: { cursor } });
    const sink = new TestSink();
    const subscription = world.hub.subscribe(sink, filter, start);
    onTestFinished(() => world.hub.unsubscribe(subscription));
    await devnet.controls.faucet({ workchain: 0, id: address.hash }, ton);
    // More than were reverted, so that the hub has certainly noticed.
    await mineAndIndex(4);
    // The hub also checks periodically, and may have noticed first.
    expect([start.revertedTo?.seqno ?? base, sink.reverts]).toEqual([base, start.revertedTo ? [] : [base]]);
    await until("the new transaction", () => sink.events.length > 0);
    expect(sink.events).toMatchObject([{ type: "transactions" }]);
  });

  it("sends the outcome of a message once the chain can be read, and counts its errors as outages", async () => {
    let failures: number | undefined;
    const api = new Proxy(devnet.api, {
      get(lite, name) {
        if (failures === undefined) return Reflect.get(lite, name);
        failures++;
        return () => Promise.reject(new LiteError(651, "block is not applied"));
      },
    });
    const other = await openHub(Object.create(devnet, { api: { value: api } }), fresh.database);
    onTestFinished(() => other.close());
    await other.reaches(await headOf(devnet));
    // The wallet is not indexed yet.
    const wallet = new TestWallet("not indexed", "v4r2");
    await devnet.controls.setBalance({ workchain: 0, id: wallet.address.hash }, ton);
    const body = wallet.pay({ to: wallet.address, value: 1n, bounce: false });
    await api.sendMessage({ body });
    const hash = parseBocRoot(body).hash();
    failures = 0;
    const statuses: string[] = [];
    const watch = other.hub.follow(
      { hash, waitMs: 1000, lastStatus: undefined },
      { isFull: false, changed: ({ status }) => statuses.push(status), ended() {} },
    );
    onTestFinished(() => other.hub.unfollow(watch));
    await until("reads that fail", () => failures! > 1);
    expect([statuses, other.errors]).toEqual([[], []]);
    failures = undefined;
    await until("the status", () => statuses.length > 0);
    expect(statuses).toEqual(["pending"]);
    await mineAndIndex(1);
  });
});

async function headOf(devnet: Devnet): Promise<number> {
  return (await devnet.api.getMasterchainInfo()).last.seqno;
}
