import { describe, expect, it } from "vitest";
import { Feed, type FeedChannel } from "../../server/stream/feed.js";
import type { Hub } from "../../server/stream/hub.js";
import { type EventKey, endOf, keyOfCursor } from "../../server/stream/subscriptions/event-key.js";
import { type Filter, nothing } from "../../server/stream/subscriptions/filter.js";
import {
  type FollowedMessage,
  LastStatus,
  type MessageSink,
  MessageWatch,
} from "../../server/stream/subscriptions/message-watches.js";
import { Heartbeats, SentEvent } from "../../server/stream/subscriptions/sent-event.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";
import type { MessageStatus } from "../../shared/schema/v3/message-status.js";

const chain = "00000000";
const unit = (seqno: number) => ({
  seqno,
  rootHash: new Uint8Array(32).fill(1),
  genUtime: 1_800_000_000n,
  endLt: 9n,
});
const keyOf = (seqno: number, lt = 1n): EventKey => ({ seqno, rank: 1, lt, id: "" });
const sentAt = (seqno: number) => new SentEvent({ json: `{"at":${seqno}}`, key: keyOf(seqno), chain });

/** As much of a hub as a feed uses; it has the methods that were called of it. */
class FakeHub {
  readonly chain = chain;
  readonly counts = { resumes: 0 };
  readonly called: string[] = [];
  head: ReturnType<typeof unit> | undefined = unit(5);
  subscription!: Subscription;
  watch: MessageWatch | undefined;
  /** Source that completes events from the chain. */
  raw: (json: string) => void = () => {};
  readonly #heartbeats = new Heartbeats(chain);

  get heartbeat() {
    return this.head && this.#heartbeats.at(this.head);
  }
  prepare(feed: Feed, filter: Filter, { after }: { after: EventKey }): Subscription {
    this.subscription = new Subscription(feed, filter);
    this.subscription.after = after;
    return this.subscription;
  }
  cursorOf({ after }: Subscription) {
    return after;
  }
  resume(subscription: Subscription) {
    this.called.push("resume");
    subscription.tellOwed(0);
  }
  follow({ hash, waitMs, lastStatus }: FollowedMessage, sink: MessageSink) {
    this.watch = new MessageWatch({ hash, waitMs, lastStatus }, 0, sink);
    return this.watch;
  }
  withRaw({ json }: SentEvent) {
    return new Promise<string>((resolve) => {
      this.raw = (raw) => resolve(`${json.slice(0, -1)},"raw":"${raw}"}`);
    });
  }
  unfollow() {
    this.called.push("unfollow");
  }
  unsubscribe() {
    this.called.push("unsubscribe");
  }
  lookAtMessages() {
    this.called.push("lookAtMessages");
  }
  async untilIdle() {
    this.called.push("untilIdle");
  }
  change() {
    this.called.push("change");
  }
  edit() {
    this.called.push("edit");
  }
}

type Written = {
  cursor?: string;
  event: { type?: string; at?: number; [member: string]: unknown };
  [more: string]: unknown;
};

class Channel implements FeedChannel {
  isFull = false;
  isSlowed = false;
  readonly frames: Buffer[] = [];
  write(frame: Buffer) {
    this.frames.push(frame);
  }
  get written(): Written[] {
    return this.frames.map((frame) => JSON.parse(String(frame)));
  }
  get events() {
    return this.written.map(({ event }) => event);
  }
}

const form = {
  name: "test",
  write: (
    json: string,
    { cursor, finality }: { cursor?: string | undefined; finality?: string | undefined },
  ) => JSON.stringify({ cursor, finality, event: JSON.parse(json) }),
};

type Made = {
  window?: number;
  message?: FollowedMessage;
  isQuiet?: boolean;
  isPast?: boolean;
  filter?: Partial<Filter>;
};

function feeding({ window, message, isQuiet = false, isPast = false, filter = {} }: Made = {}) {
  const [hub, channel] = [new FakeHub(), new Channel()];
  const clock = { now: 0 };
  let ends = 0;
  const options = {
    ...{ hub: hub as unknown as Hub, channel, form, window, message, isQuiet, now: () => clock.now },
    onEnd: () => ends++,
  };
  const start = { after: endOf(unit(4)), next: 5, isPast };
  const feed = new Feed(options as never, { ...nothing, ...filter }, start as never);
  const seqnoOf = (cursor: string | undefined) => keyOfCursor(cursor!, chain)?.seqno;
  return { feed, hub, channel, clock, ends: () => ends, seqnoOf };
}

/** Lets what has resolved continue. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a feed", () => {
  it("writes events with their cursors, and knows the place behind them", () => {
    const { feed, hub, channel, seqnoOf } = feeding();
    expect(seqnoOf(feed.cursor)).toBe(4);
    for (const seqno of [5, 6]) hub.subscription.offer(sentAt(seqno) as never);
    expect(channel.events).toEqual([{ at: 5 }, { at: 6 }]);
    expect(channel.written.map(({ cursor }) => seqnoOf(cursor))).toEqual([5, 6]);
    expect([seqnoOf(feed.cursor), feed.isCurrent]).toEqual([6, true]);
  });

  it("begins by what it owes, and counts resumes", () => {
    const { feed, hub, channel } = feeding({ isPast: true });
    feed.owe({ type: "lagging", seconds: 3, isReset: true });
    expect([channel.frames.length, feed.isCurrent, hub.counts.resumes]).toEqual([0, false, 1]);
    feed.begin();
    expect(channel.events).toEqual([{ type: "lagging", seconds: 3, speculative: "reset" }]);
    expect([hub.subscription.isBehind, hub.called]).toEqual([true, ["resume"]]);
    expect(feeding().hub.counts.resumes).toBe(0);
  });

  it("is full with its channel, slowed or not read", () => {
    const { feed, channel } = feeding();
    expect(feed.isFull).toBe(false);
    channel.isFull = true;
    expect(feed.isFull).toBe(true);
    channel.isFull = false;
    channel.isSlowed = true;
    expect(feed.isFull).toBe(true);
  });

  it("is full with its window until events are acknowledged", () => {
    const { feed, hub, channel } = feeding({ window: 2 });
    for (const seqno of [5, 6, 7]) hub.subscription.offer(sentAt(seqno) as never);
    expect([channel.events.length, feed.isFull, feed.isCurrent]).toEqual([2, true, false]);
    feed.acknowledge(keyOf(4));
    expect([feed.isFull, hub.called]).toEqual([true, []]);
    feed.acknowledge(keyOf(5));
    expect([feed.isFull, hub.called]).toEqual([false, ["resume"]]);
    hub.subscription.next = undefined;
    hub.subscription.offer(sentAt(7) as never);
    expect(feed.isFull).toBe(true);
    feed.acknowledge(keyOf(9));
    expect(feed.isFull).toBe(false);
  });

  it("does not count pending events against its window", () => {
    const { feed } = feeding({ window: 1 });
    feed.send(new SentEvent({ json: "{}" }));
    expect(feed.isFull).toBe(false);
  });

  it("passes changes on, and ends with the hub", async () => {
    const { feed, hub } = feeding();
    feed.change(nothing);
    feed.edit({} as never);
    await feed.untilIdle();
    feed.close();
    expect(hub.called).toEqual(["change", "edit", "untilIdle", "unsubscribe"]);
  });

  it("resumes only a subscription that waits, if there is room", () => {
    const { feed, hub, channel } = feeding();
    feed.resume();
    hub.subscription.next = 5;
    channel.isFull = true;
    feed.resume();
    expect(hub.called).toEqual([]);
    channel.isFull = false;
    feed.resume();
    Feed.watch([feed]);
    expect(hub.called).toEqual(["resume", "resume"]);
  });
});

describe("the notices of a feed", () => {
  it("have the cursor of its place, except invalidations", () => {
    const { feed, channel, seqnoOf, ends } = feeding();
    feed.tell({ type: "invalidated", trace: "t", transactions: ["a"] });
    feed.tell({ type: "caught-up" });
    feed.tell({ type: "lagging", seconds: 11, isReset: false });
    feed.closing();
    expect(ends()).toBe(0);
    feed.tell({ type: "end" });
    expect(channel.events).toEqual([
      { type: "invalidated", trace_external_hash_norm: "t", transactions: ["a"] },
      { type: "caught-up" },
      { type: "lagging", seconds: 11 },
      { type: "closing" },
      { type: "end" },
    ]);
    expect(channel.written.map(({ cursor }) => cursor && seqnoOf(cursor))).toEqual([undefined, 4, 4, 4, 4]);
    expect(ends()).toBe(1);
  });

  it("about progress are left out of a quiet one", () => {
    const { feed, channel } = feeding({ isQuiet: true });
    feed.tell({ type: "caught-up" });
    feed.tell({ type: "lagging", seconds: 11, isReset: false });
    feed.tell({ type: "lagging", seconds: 11, isReset: true });
    feed.tell({ type: "end" });
    expect(channel.events.map(({ type }) => type)).toEqual(["lagging", "end"]);
  });

  it("of a revert lead to its base, or to the place of a feed that has not reached it", () => {
    const { feed, hub, channel, seqnoOf } = feeding({ window: 3 });
    for (const seqno of [5, 6, 7]) hub.subscription.offer(sentAt(seqno) as never);
    hub.subscription.after = keyOf(7);
    feed.tell({ type: "reverted", to: unit(6) });
    expect(channel.events.at(-1)).toEqual({ type: "reverted", mc_seqno: 6 });
    expect(keyOfCursor(channel.written.at(-1)!.cursor!, chain)).toMatchObject(endOf(unit(6)));
    // The events of blocks 5 and 6 are still to be acknowledged, the other one cannot be.
    expect(feed.isFull).toBe(false);
    feed.send(sentAt(8));
    expect(feed.isFull).toBe(true);
    feed.tell({ type: "reverted", to: unit(20) });
    expect(channel.events.at(-1)).toEqual({ type: "reverted", mc_seqno: 20 });
    expect(seqnoOf(channel.written.at(-1)!.cursor)).toBe(7);
  });
});

describe("events that are completed from the chain", () => {
  const withRaw = { filter: { withRaw: true } };

  it("are written when they are complete, and all others wait", async () => {
    const { feed, hub, channel, seqnoOf } = feeding(withRaw);
    hub.subscription.offer(sentAt(5) as never);
    expect([channel.frames.length, feed.isFull, feed.isCurrent, seqnoOf(feed.cursor)]).toEqual([
      0,
      true,
      false,
      4,
    ]);
    expect(hub.subscription.offer(sentAt(6) as never)).toBe(false);
    hub.raw("boc");
    await settle();
    expect(channel.events).toEqual([{ at: 5, raw: "boc" }]);
    expect(seqnoOf(channel.written[0]!.cursor)).toBe(5);
    expect([hub.called, feed.isFull, seqnoOf(feed.cursor)]).toEqual([["resume"], false, 5]);
  });

  it("are only those of final events", () => {
    const { feed, channel } = feeding(withRaw);
    feed.send(new SentEvent({ json: '{"a":1}' }));
    expect(channel.events).toEqual([{ a: 1 }]);
  });

  it("come before the end", async () => {
    const { feed, hub, channel, ends } = feeding(withRaw);
    hub.subscription.offer(sentAt(5) as never);
    feed.tell({ type: "end" });
    expect(channel.events).toEqual([]);
    hub.raw("boc");
    await settle();
    expect(channel.events).toEqual([{ at: 5, raw: "boc" }, { type: "end" }]);
    expect(ends()).toBeGreaterThan(0);
  });

  it("are not written once it is closed", async () => {
    const { feed, hub, channel } = feeding(withRaw);
    hub.subscription.offer(sentAt(5) as never);
    feed.close();
    hub.raw("boc");
    await settle();
    expect(channel.events).toEqual([]);
  });
});

describe("the heartbeats of feeds", () => {
  it("come after ten seconds of silence, with the feeds of a connection that are silent for five", () => {
    const { feed, channel, clock, hub } = feeding();
    const other = feeding();
    const beat = { type: "heartbeat", head: { seqno: 5, gen_utime: 1_800_000_000 } };
    clock.now = 9999;
    Feed.watch([feed, other.feed]);
    expect(channel.events).toEqual([]);
    clock.now = 10_000;
    other.clock.now = 5000;
    Feed.watch([feed, other.feed]);
    expect([channel.events, other.channel.events]).toEqual([[beat], [beat]]);
    expect(hub.called).toEqual([]);
    other.clock.now = 9999;
    clock.now = 20_000;
    Feed.watch([feed, other.feed]);
    expect([channel.events.length, other.channel.events.length]).toEqual([2, 1]);
  });

  it("are one frame for all that have reached the newest block", () => {
    const { feed, channel, clock, hub } = feeding();
    hub.subscription.after = endOf(unit(5));
    for (const time of [10_000, 20_000]) {
      clock.now = time;
      Feed.watch([feed]);
    }
    expect(channel.frames[1]).toBe(channel.frames[0]);
    hub.subscription.next = 6;
    clock.now = 30_000;
    Feed.watch([feed]);
    expect(channel.frames[2]).not.toBe(channel.frames[0]);
    expect(channel.frames[2]).toEqual(channel.frames[0]);
  });

  it("have the place of a feed that has not", () => {
    const { feed, channel, clock, seqnoOf } = feeding();
    clock.now = 10_000;
    Feed.watch([feed]);
    expect(seqnoOf(channel.written[0]!.cursor)).toBe(4);
  });

  it("are not written before the first block, nor to a client that does not read", () => {
    const { feed, channel, clock, hub } = feeding();
    clock.now = 10_000;
    channel.isFull = true;
    Feed.watch([feed]);
    channel.isFull = false;
    hub.head = undefined;
    Feed.watch([feed]);
    expect(channel.events).toEqual([]);
  });
});

describe("a feed of a message", () => {
  const message = (lastStatus?: LastStatus): FollowedMessage => ({
    hash: new Uint8Array(32).fill(1),
    waitMs: 1000,
    lastStatus,
  });
  const statusOf = (status: string) => ({ status }) as MessageStatus;

  it("writes each status with a place that has it, and ends with the last one", () => {
    const { feed, hub, channel, ends, seqnoOf } = feeding({ message: message(), window: 5 });
    feed.begin();
    hub.watch!.tell(statusOf("pending"), 0);
    hub.watch!.tell(statusOf("completed"), 0);
    expect(channel.events).toEqual([
      { type: "message", message: { status: "pending" } },
      { type: "message", message: { status: "completed" } },
      { type: "end" },
    ]);
    expect(channel.written.map(({ finality }) => finality)).toEqual(["finalized", "finalized", undefined]);
    const ids = channel.written.map(({ cursor }) => keyOfCursor(cursor!, chain)!.id);
    expect([ids[0]!.slice(0, 7), ids[1]!.slice(0, 7), ids[2]]).toEqual(["000000-", "000001-", ids[1]]);
    expect([ends(), seqnoOf(feed.cursor)]).toEqual([1, 4]);
    feed.close();
    expect(hub.called).toEqual(["resume", "unfollow", "unsubscribe"]);
  });

  it("is full with unacknowledged statuses, and looks again when there is room", () => {
    const { feed, hub, channel } = feeding({ message: message(), window: 1 });
    feed.begin();
    hub.watch!.tell(statusOf("pending"), 0);
    hub.watch!.tell(statusOf("completed"), 0);
    expect([channel.events.length, feed.isFull, hub.watch!.isOwed]).toEqual([1, true, true]);
    feed.resume();
    expect(hub.called).not.toContain("lookAtMessages");
    feed.acknowledge(feed.key);
    expect(hub.called).toContain("lookAtMessages");
  });

  it("is told that it has caught up behind the first status of a later connection", () => {
    const first = feeding({ message: message() });
    first.feed.begin();
    first.hub.watch!.tell(statusOf("pending"), 0);
    const before = LastStatus.in(first.feed.key.id)!;
    const { feed, hub, channel } = feeding({ message: message(before) });
    expect(feed.key.id).toBe(before.text);
    feed.begin();
    hub.watch!.tell(statusOf("unknown"), 0);
    hub.watch!.tell(statusOf("completed"), 0);
    expect(channel.events.map(({ type }) => type)).toEqual(["message", "caught-up", "message", "end"]);
  });

  it("ends at once if the last status was sent before", () => {
    const first = feeding({ message: message() });
    first.feed.begin();
    first.hub.watch!.tell(statusOf("expired"), 0);
    const { feed, hub, channel, ends } = feeding({ message: message(LastStatus.in(first.feed.key.id)) });
    feed.begin();
    expect([channel.events, ends(), hub.watch]).toEqual([[{ type: "end" }], 1, undefined]);
  });
});
