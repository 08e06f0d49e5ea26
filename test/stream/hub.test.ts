import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { Devnet } from "../../server/devnet/devnet.js";
import {
  compareKeys,
  cursorOf,
  type EventKey,
  keyOfCursor,
} from "../../server/stream/subscriptions/event-key.js";
import type { EventType, Filter } from "../../server/stream/subscriptions/filter.js";
import { Address } from "../../shared/values/address.js";
import { ton } from "../helpers/chain/devnet.js";
import { isLong, sized } from "../helpers/effort.js";
import { classifier } from "../helpers/index/classifier.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { type StoryApp, startStoryApp } from "../helpers/stories/story-app.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";
import { atBlock, filterWith, openHub, TestSink, type Told } from "./hub-world.js";

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
    // Events come with the block in which their trace ends: those of the last blocks, or of all.
    const before = isLong ? 0 : (await headOf(devnet)) - 25;
    const traces = (await listAll(app, "traces", "traces")).filter(
      (trace) => Number(trace["mc_seqno_end"]) > before,
    );
    const ids = new Set(traces.map(({ trace_id }) => trace_id));
    const inThem = ({ trace_id }: Listed) => ids.has(trace_id);
    const transactions = (await listAll(app, "transactions", "transactions")).filter(inThem);
    const actions = (await listAll(app, "actions", "actions", "&include_accounts=true")).filter(inThem);
    const complete = traces.filter(
      ({ trace_info }) => (trace_info as { trace_state: string }).trace_state === "complete",
    );
    const ofComplete = new Set(complete.map(({ trace_id }) => trace_id));
    const after = atBlock(before + 1);
    const accounts = new Set(transactions.map(({ account }) => account));
    for (const { accounts: own } of actions) for (const account of own as string[]) accounts.add(account);
    const types = new Set<EventType>(["transactions"]);
    const named = await replay(filterWith({ types, addresses: accounts }), after);
    const names = new Set(named.events.map((event) => event["trace_external_hash_norm"] as string));
    expect(names.size).toBe(complete.length);
    const filter = filterWith({ types: new Set(finalOnes), addresses: accounts, traces: names });
    const sink = await replay(filter, after);

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
      if (isLong ? accounts.has(wallet["address"] as string) : wallets.has(wallet["address"] as string))
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
        after,
      );
      const own = (event: Told) =>
        (event["transactions"] as Listed[]).filter((transaction) => transaction.account === account);
      expect(narrow.events.map(own)).toEqual(
        sink.ofType("transactions").flatMap((event) => (own(event).length > 0 ? [own(event)] : [])),
      );
    }
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
});

async function headOf(devnet: Devnet): Promise<number> {
  return (await devnet.api.getMasterchainInfo()).last.seqno;
}
