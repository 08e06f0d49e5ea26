import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { choiceOf, filterOf } from "../../server/stream/subscriptions/record-filter.js";
import type { SentEvent } from "../../server/stream/subscriptions/sent-event.js";
import type { Notice, Sink } from "../../server/stream/subscriptions/subscription.js";
import { subscribeParams } from "../../shared/schema/streams/subscription-params.js";
import { Address } from "../../shared/values/address.js";
import { TestWallet, ton } from "../helpers/chain/devnet.js";
import { variants } from "../helpers/effort.js";
import { classifier } from "../helpers/index/classifier.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { anyKind, type FreshDatabase } from "../helpers/store/databases.js";
import { sharedStory } from "../helpers/stories/shared-story.js";
import { storyIndex } from "../helpers/stories/story-index.js";
import { until } from "../helpers/until.js";
import { openHub } from "./hub-world.js";

type Received = Pick<SentEvent, "finality" | "id" | "replaces">;

/** A client that keeps under which ids it received its records. */
class RecordSink implements Sink {
  readonly isFull = false;
  readonly sent: Received[] = [];
  readonly notices: Notice[] = [];

  send({ finality, id, replaces }: SentEvent): void {
    this.sent.push({ finality, id, replaces });
  }

  tell(notice: Notice): void {
    this.notices.push(notice);
  }

  of(finality: string): Received[] {
    return this.sent.filter((each) => each.finality === finality);
  }
}

describe("A record that gets another id", () => {
  let devnet: Awaited<ReturnType<typeof sharedStory>>;
  let fresh: FreshDatabase;
  let world: Awaited<ReturnType<typeof openHub>>;
  beforeAll(async () => {
    devnet = await sharedStory();
    fresh = await anyKind[1](storyIndex);
    await index();
    world = await openHub(devnet, fresh.database);
    await world.reaches(await headOf());
  });
  afterAll(async () => {
    await world?.close();
    await fresh?.close();
    await devnet?.close();
  });

  const headOf = async () => (await devnet.api.getMasterchainInfo()).last.seqno;
  const index = () =>
    indexAll(fresh.database, devnet.api, {
      events: devnet.events,
      mayRevert: true,
      detection: devnet.detection,
      classifier,
    });
  const subscribe = (
    kind: "transactions" | "traces",
    account: Address,
    finality: "pending" | "finalized",
  ) => {
    const params = { kind, accounts: [account.toRawUpper()], finality };
    const sink = new RecordSink();
    const filter = filterOf(choiceOf(subscribeParams.parse(params), undefined));
    const subscription = world.hub.subscribe(sink, filter, { after: undefined });
    onTestFinished(() => world.hub.unsubscribe(subscription));
    return sink;
  };
  const settle = async () => {
    await index();
    await world.reaches(await headOf());
  };

  it.each(
    variants<[kind: "transactions" | "traces", number: number]>([["transactions", 5]], [["traces", 6]]),
  )("replaces it for its receivers, not for those who came later (%s)", async (kind, number) => {
    const wallet = new TestWallet(`replaced ${kind}`, "v4r2");
    const receiver = new Address(0, new Uint8Array(32).fill(number));
    await devnet.controls.faucet({ workchain: 0, id: wallet.address.hash }, 50n * ton);
    await devnet.controls.mine(3);
    await settle();
    const early = subscribe(kind, receiver, "pending");
    await devnet.api.sendMessage({ body: wallet.pay({ to: receiver, value: ton, bounce: false }) });
    await until("the expected record", () => early.sent.length === 1);

    const late = subscribe(kind, receiver, "pending");
    const careful = subscribe(kind, receiver, "finalized");
    // Transactions state their time: at another one than was expected, all get other hashes.
    await devnet.controls.advanceTime(1000);
    await devnet.controls.mine(2);
    await until("the record in a block", () => late.of("confirmed").length === 1);
    await settle();
    for (const sink of [early, late, careful]) {
      expect(sink.of("finalized")).toHaveLength(1);
      expect(sink.sent).toEqual(withReplaced(sink.sent));
      expect(sink.notices).toEqual([]);
    }
    const { id } = late.of("confirmed")[0]!;
    expect(early.sent[0]).toMatchObject({ finality: "pending", replaces: undefined });
    expect(early.sent[0]!.id).not.toBe(id);
    expect(early.sent.some(({ replaces }) => replaces === early.sent[0]!.id)).toBe(true);
    expect(late.sent.some(({ replaces }) => replaces === early.sent[0]!.id)).toBe(false);
  });
});

/** The same records, each replacing the one before if that had another id. */
function withReplaced(records: readonly Received[]): Received[] {
  return records.map(({ finality, id }, at) => {
    const before = records[at - 1]?.id;
    return { finality, id, replaces: before === id ? undefined : before };
  });
}
