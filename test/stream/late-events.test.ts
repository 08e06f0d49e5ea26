import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { jettonTransferBody } from "../../server/devnet/story/contracts/jetton.js";
import { participantsOf } from "../../server/devnet/story/participants.js";
import { jettonsOf } from "../../server/devnet/story/scenes/jetton-trade.js";
import { devnetWallets } from "../../server/devnet/wallets/devnet-wallets.js";
import { publishedSeed } from "../../server/devnet/wallets/published-keys.js";
import { LateRecognition } from "../../server/indexer/follow/late-recognition.js";
import type { Database } from "../../server/store/database.js";
import type { Filter, SubscribedType } from "../../server/stream/subscriptions/filter.js";
import { serializeBoc } from "../../shared/ton/cells/boc/boc.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { isLong } from "../helpers/effort.js";
import { classifier } from "../helpers/index/classifier.js";
import { idOf, someAddress, startDetection } from "../helpers/index/detection.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { databaseKinds, type FreshDatabase } from "../helpers/store/databases.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";
import { atBlock, filterWith, openHub, TestSink, type Told } from "./hub-world.js";

const { acorn, cleo } = await (async () => {
  const participants = participantsOf(publishedSeed, await devnetWallets(publishedSeed));
  return { ...jettonsOf(participants), cleo: participants.cleo };
})();
const unstopped = new AbortController().signal;
/** No contract is recognised while its block waits. */
const limits = { share: 0, savedMs: 0, trustedMs: Number.POSITIVE_INFINITY };

const receiver = someAddress(0x51);
const wallet = acorn.walletOf(receiver);
const addresses = new Set([receiver, wallet].map((address) => address.toRawUpper()));
const late: SubscribedType[] = ["actions", "jettons_change", "jetton", "action", "trace_record"];
const atOnce: SubscribedType[] = ["transactions", "account_state_change", "transaction", "account"];
/** Events of TON Center's protocol, and records, which have other names. */
const filters = [
  filterWith({
    types: new Set(["transactions", "account_state_change", "actions", "jettons_change"]),
    addresses,
  }),
  filterWith({
    types: new Set<SubscribedType>(["transaction", "account", "jetton", "action", "trace_record"]),
    addresses,
    requires: new Set(["accounts"]),
  }),
];
const namesOf = (types: readonly SubscribedType[]) =>
  types.map((type) => (type === "trace_record" ? "trace" : type));
const ofTypes = (events: readonly Told[], types: readonly SubscribedType[]) =>
  events.filter(({ type }) => (namesOf(types) as readonly string[]).includes(type));
const sorted = (events: readonly Told[]) => events.map((event) => JSON.stringify(event)).sort();

describe.each(databaseKinds)("An account that is recognised after its block, on %s", (_, open) => {
  const sender = new TestWallet("late", "v4r2");
  let devnet: Awaited<ReturnType<typeof sharedStory>>;
  let fresh: FreshDatabase;
  let world: Awaited<ReturnType<typeof openHub>>;
  let contracts: Awaited<ReturnType<typeof startDetection>>;
  beforeAll(async () => {
    devnet = await sharedStory();
    fresh = await open(storyIndex);
    contracts = await startDetection(devnet, { limits });
  });
  afterAll(async () => {
    await world?.close();
    await contracts?.close();
    await fresh?.close();
    await devnet?.close();
  });

  const headOf = async () => (await devnet.api.getMasterchainInfo()).last.seqno;
  const index = async (
    database: Database,
    { detection }: Pick<typeof contracts, "detection">,
    lateShare?: number,
  ) => {
    const { events } = devnet;
    const share = lateShare === undefined ? {} : { lateShare };
    await indexAll(database, devnet.api, { events, mayRevert: true, detection, classifier, ...share });
  };
  const mineAndIndex = async (blocks: number) => {
    await devnet.controls.mine(blocks);
    await index(fresh.database, contracts, 0);
    await world.reaches(await headOf());
  };
  const finish = () => {
    const onError = (error: Error) => {
      throw error;
    };
    const { detection } = contracts;
    const setting = {
      database: fresh.database.sql(),
      lite: devnet.api,
      detection,
      classifier,
      share: 1,
      onError,
    };
    return new LateRecognition(setting).finish(unstopped);
  };
  const replay = async ({ hub }: typeof world, filter: Filter, seqno: number) => {
    const sink = new TestSink();
    const subscription = hub.subscribe(sink, filter, { after: atBlock(seqno) });
    onTestFinished(() => hub.unsubscribe(subscription));
    await until("the replay", () => subscription.next === undefined);
    return sink;
  };
  const transfer = (amount: bigint) => {
    const body = jettonTransferBody({ to: receiver, amount, excessesTo: sender.address, queryId: 2 });
    const payment = { to: acorn.walletOf(sender.address), value: ton / 5n, body };
    return devnet.api.sendMessage({ body: sender.pay(payment) });
  };

  it("has its actions and its jettons sent once, with the next block", async () => {
    await devnet.controls.faucet(idOf(sender.address), 50n * ton);
    await devnet.controls.impersonate({
      from: idOf(cleo.address),
      to: idOf(acorn.address),
      value: ton,
      body: serializeBoc(acorn.mintBody({ to: sender.address, amount: 50n, tons: ton / 5n, queryId: 1 })),
    });
    await devnet.controls.mine(3);
    await index(fresh.database, contracts, 0);
    await finish();
    world = await openHub(devnet, fresh.database);
    await world.reaches(await headOf());
    const first = (await headOf()) + 1;
    const live = filters.map((filter) => {
      const sink = new TestSink();
      const subscription = world.hub.subscribe(sink, filter);
      onTestFinished(() => world.hub.unsubscribe(subscription));
      return sink;
    });
    const told = (types: readonly SubscribedType[]) => live.flatMap(({ events }) => ofTypes(events, types));
    await transfer(5n);
    await mineAndIndex(3);
    expect(told(late)).toEqual([]);
    expect(told(atOnce).length).toBeGreaterThan(3);
    const before = told(atOnce).length;

    expect(await finish()).toBeGreaterThan(0);
    world.hub.indexChanged();
    await mineAndIndex(1);
    const last = await headOf();
    const events = told(late);
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set(namesOf(late)));
    expect(told(atOnce)).toHaveLength(before);
    // Nothing more follows.
    await finish();
    await mineAndIndex(2);
    expect(told(late)).toEqual(events);

    // Later subscribers receive the same events in the same blocks.
    for (const [at, filter] of filters.entries()) {
      const { events: again, keys } = await replay(world, filter, first);
      expect(again).toEqual(live[at]!.events);
      expect(keys.map((key) => key!.seqno)).toEqual(live[at]!.keys.map((key) => key!.seqno));
      const seqnos = keys.flatMap((key, place) =>
        ofTypes([again[place]!], late).length > 0 ? [key!.seqno] : [],
      );
      expect(new Set(seqnos)).toEqual(new Set([last]));
    }

    if (!isLong) return;
    // An index that recognises all accounts with their blocks sends the same events, with these blocks.
    const other = await open(storyIndex);
    await index(other.database, devnet);
    const reference = await openHub(devnet, other.database);
    await reference.reaches(await headOf());
    for (const [at, filter] of filters.entries()) {
      const { events: expected } = await replay(reference, filter, first);
      expect(sorted(live[at]!.events)).toEqual(sorted(expected));
    }
    await reference.close();
    await other.close();
  });

  it.runIf(isLong)("has the jetton wallet from before a revert sent with the replacement block", async () => {
    const subscribe = (from?: number) => {
      const sink = new TestSink();
      const filter = filterWith({ types: new Set(["jettons_change"]), addresses });
      const start = from === undefined ? undefined : { after: atBlock(from) };
      const subscription = world.hub.subscribe(sink, filter, start);
      onTestFinished(() => world.hub.unsubscribe(subscription));
      return { sink, subscription };
    };
    const pay = async (amount: bigint) => {
      await transfer(amount);
      await mineAndIndex(3);
      await finish();
      await mineAndIndex(1);
    };
    const balances = (sink: TestSink) =>
      sink.events.map(({ jetton }) => Number((jetton as { balance: string }).balance));
    const first = await headOf();
    const { sink: live } = subscribe();
    await pay(2n);
    const { id } = await devnet.controls.snapshot();
    const base = await headOf();
    await pay(3n);
    const [before, after] = balances(live) as [number, number];
    expect(after).toBe(before + 3);
    const later = subscribe(first);
    await until("the replay", () => later.subscription.next === undefined);
    // The index has the newest state alone.
    expect(balances(later.sink)).toEqual([after]);

    await devnet.controls.revert(id);
    await devnet.controls.faucet(idOf(someAddress(0x53)), ton);
    await mineAndIndex(1);
    await until("the state of before", () => later.sink.events.length === 2 && live.events.length === 3);
    expect(balances(later.sink)).toEqual([after, before]);
    expect(balances(live)).toEqual([before, after, before]);
    expect(live.keys.at(-1)?.seqno).toBe(base + 1);
    // Nothing more follows, not even for later subscribers.
    await mineAndIndex(2);
    const last = subscribe(first);
    await until("the last replay", () => last.subscription.next === undefined);
    expect(balances(last.sink)).toEqual([before]);
    expect(live.events).toHaveLength(3);
  });
});
