import { describe, expect, it } from "vitest";
import { Reverts } from "../../../server/stream/reverts.js";
import {
  compareKeys,
  cursorOf,
  type EventKey,
  endOf,
  keyOfCursor,
} from "../../../server/stream/subscriptions/event-key.js";
import { nothing } from "../../../server/stream/subscriptions/filter.js";
import { SentEvent } from "../../../server/stream/subscriptions/sent-event.js";
import { type Notice, type Sink, Subscription } from "../../../server/stream/subscriptions/subscription.js";

const unit = (seqno: number, byte = 1) => ({
  seqno,
  rootHash: new Uint8Array(32).fill(byte),
  genUtime: BigInt(seqno),
  endLt: BigInt(seqno),
});
const keyOf = (seqno: number, lt: number): EventKey => ({ seqno, rank: 1, lt: BigInt(lt), id: "" });
const sent = (key: EventKey) => new SentEvent({ json: "{}", key }) as SentEvent & { key: EventKey };

class CountingSink implements Sink {
  isFull = false;
  readonly keys: EventKey[] = [];
  readonly notices: Notice[] = [];

  send({ key }: SentEvent): void {
    this.keys.push(key!);
  }

  tell(notice: Notice): void {
    this.notices.push(notice);
  }
}

describe("a subscription", () => {
  it("keeps only a cursor of the events that its client cannot take, and continues from there", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    expect(subscription.offer(sent(keyOf(5, 1)))).toBe(true);
    sink.isFull = true;
    for (let seqno = 5; seqno < 1000; seqno++) {
      expect(subscription.offer(sent(keyOf(seqno, 2)))).toBe(false);
      expect([subscription.next, subscription.after?.lt]).toEqual([5, 1n]);
    }
    sink.isFull = false;
    // Events of live blocks wait until it has caught up.
    expect(subscription.offer(sent(keyOf(1000, 1)))).toBe(false);
    subscription.give(sent(keyOf(5, 1)));
    subscription.give(sent(keyOf(5, 2)));
    subscription.passed(unit(5));
    subscription.caughtUp();
    subscription.offer(sent(keyOf(5, 3)));
    subscription.offer(sent(keyOf(6, 1)));
    expect(sink.keys.map(({ seqno, lt }) => [seqno, lt])).toEqual([
      [5, 1n],
      [5, 2n],
      [6, 1n],
    ]);
  });

  it("queues at most 1000 invalidations, then reports that the pending state was lost", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    sink.isFull = true;
    for (let at = 0; at < 1500; at++)
      subscription.tell({ type: "invalidated", trace: String(at), transactions: [] });
    sink.isFull = false;
    subscription.tellOwed(0);
    expect(sink.notices).toHaveLength(1001);
    expect(sink.notices.at(-1)).toEqual({ type: "lagging", seconds: 0, isReset: true });
    subscription.tellOwed(0);
    expect(sink.notices).toHaveLength(1001);
  });

  it("reports the deepest of several reverts that its client could not receive", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    for (let seqno = 1; seqno < 10; seqno++) subscription.offer(sent(keyOf(seqno, 1)));
    sink.isFull = true;
    for (const seqno of [7, 4, 5]) subscription.revert(unit(seqno));
    expect(subscription.after).toEqual(endOf(unit(4)));
    sink.isFull = false;
    subscription.tellOwed(0);
    expect(sink.notices).toEqual([{ type: "reverted", to: unit(4) }]);
  });

  it("is notified once that it lags, and that it has caught up", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    subscription.next = 1;
    for (const seconds of [30, 20, 10, 0]) subscription.tellOwed(seconds);
    subscription.caughtUp();
    subscription.caughtUp();
    expect(sink.notices).toEqual([{ type: "lagging", seconds: 30, isReset: false }, { type: "caught-up" }]);
  });
});

describe("a subscription whose client does not read", () => {
  const lost: Notice = { type: "invalidated", trace: "t", transactions: [] };
  const full = () => {
    const sink = new CountingSink();
    sink.isFull = true;
    return { sink, subscription: new Subscription(sink, nothing) };
  };

  it("waits for its notices, in their order", () => {
    const { sink, subscription } = full();
    expect(subscription.isWaiting).toBe(false);
    subscription.tell(lost);
    expect(subscription.isWaiting).toBe(true);
    subscription.tellOwed(0);
    expect(sink.notices).toEqual([]);
    sink.isFull = false;
    // An event that is owed comes first, even if a later one could be sent now.
    subscription.tell({ type: "end" });
    expect(sink.notices).toEqual([]);
    subscription.tellOwed(0);
    expect(sink.notices).toEqual([lost, { type: "end" }]);
    expect(subscription.isWaiting).toBe(false);
    subscription.tell({ type: "end" });
    expect(sink.notices).toHaveLength(3);
  });

  it("is told what is owed before the next event, however much it reads", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    subscription.owe(lost);
    expect([sink.notices, subscription.isWaiting]).toEqual([[], true]);
    subscription.tellOwed(0);
    expect([sink.notices, subscription.isWaiting]).toEqual([[lost], false]);
  });

  it("forgets invalidations before other notices, and keeps a revert of the same depth once", () => {
    const { sink, subscription } = full();
    subscription.tell({ type: "end" });
    for (let at = 0; at < 1000; at++) subscription.tell(lost);
    subscription.tell({ type: "reverted", to: unit(4) });
    subscription.tell({ type: "reverted", to: unit(4, 9) });
    sink.isFull = false;
    subscription.tellOwed(0);
    expect(sink.notices).toHaveLength(1001);
    expect(sink.notices[0]).toEqual({ type: "end" });
    expect(sink.notices.slice(-2)).toEqual([
      { type: "reverted", to: unit(4) },
      { type: "lagging", seconds: 0, isReset: true },
    ]);
  });

  it("waits while it lags, and because it has forgotten", () => {
    const { sink, subscription } = full();
    subscription.next = 3;
    expect(subscription.isWaiting).toBe(true);
    subscription.next = undefined;
    expect(subscription.isWaiting).toBe(false);
    for (let at = 0; at < 1001; at++) subscription.tell(lost);
    sink.isFull = false;
    subscription.tellOwed(-5);
    expect(sink.notices.at(-1)).toEqual({ type: "lagging", seconds: 0, isReset: true });
  });

  it("gets no pending events, nor if it lags or is closed", () => {
    const { sink, subscription } = full();
    expect(subscription.takesPending).toBe(false);
    sink.isFull = false;
    expect(subscription.takesPending).toBe(true);
    subscription.next = 3;
    expect(subscription.takesPending).toBe(false);
    subscription.next = undefined;
    subscription.isOpen = false;
    expect(subscription.takesPending).toBe(false);
  });

  it("gets nothing once it is closed", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    subscription.isOpen = false;
    subscription.tell({ type: "end" });
    expect([subscription.offer(sent(keyOf(5, 1))), subscription.give(sent(keyOf(5, 1)))]).toEqual([
      false,
      false,
    ]);
    expect([sink.notices, sink.keys]).toEqual([[], []]);
  });
});

describe("a subscription that lags", () => {
  it("is notified from more than ten seconds on", () => {
    for (const [seconds, count] of [
      [10, 0],
      [10.5, 1],
    ] as const) {
      const sink = new CountingSink();
      new Subscription(sink, nothing).tellOwed(seconds);
      expect(sink.notices).toHaveLength(count);
    }
  });

  it("goes on behind the blocks that it has passed", () => {
    const subscription = new Subscription(new CountingSink(), nothing);
    subscription.passed(unit(5));
    expect([subscription.next, subscription.after]).toEqual([6, endOf(unit(5))]);
  });

  it("goes back with a revert to the block behind the last valid one", () => {
    const subscription = new Subscription(new CountingSink(), nothing);
    subscription.passed(unit(9));
    subscription.rest = { unit: unit(10), events: [], isWhole: true, filter: nothing };
    subscription.revert(unit(7));
    expect(subscription).toMatchObject({ next: 8, after: endOf(unit(7)), setBacks: 1, rest: undefined });
    subscription.revert(unit(9));
    expect(subscription).toMatchObject({ next: 8, after: endOf(unit(7)), setBacks: 2 });
  });

  it("does not begin to lag by a revert, nor loses its place in the last valid block", () => {
    const sink = new CountingSink();
    const subscription = new Subscription(sink, nothing);
    subscription.offer(sent(keyOf(7, 1)));
    subscription.revert(unit(7));
    expect([subscription.next, subscription.after]).toEqual([undefined, keyOf(7, 1)]);
    expect(sink.notices).toEqual([{ type: "reverted", to: unit(7) }]);
  });
});

describe("a cursor", () => {
  it("carries its key, and the chain and block that it belongs to", () => {
    const key: EventKey = { ...keyOf(12, 34), id: "0:AB", unit: "01010101" };
    expect(keyOfCursor(cursorOf(key, "00000000"), "00000000")).toEqual(key);
    expect(keyOfCursor(cursorOf(key, "00000001"), "00000000")).toBeUndefined();
    const end = endOf(unit(12));
    expect(compareKeys(key, end)).toBeLessThan(0);
    expect(compareKeys(end, keyOf(13, 0))).toBeLessThan(0);
    // With only the block it fits into the reason of a close frame.
    expect(`answers are not read ${cursorOf(endOf(unit(4_000_000_000)), "00000000")}`.length).toBeLessThan(
      124,
    );
  });

  it("of a block that was reverted leads to the last block that was not", () => {
    const reverts = new Reverts();
    reverts.add([unit(8, 1), unit(9, 1)], unit(7, 1));
    reverts.add([unit(6, 1), unit(7, 1), unit(8, 2)], unit(5, 1));
    for (const [seqno, mark] of [
      [9, "01010101"],
      [8, "02020202"],
      [7, "01010101"],
    ] as const)
      expect(reverts.baseOf(seqno, mark)).toEqual(unit(5, 1));
    expect(reverts.baseOf(5, "01010101")).toBeUndefined();
    expect(reverts.baseOf(9, "03030303")).toBeUndefined();
    expect(reverts.count).toBe(2);
  });

  it("of a block that was reverted leads to the base of its own revert, if later ones are above it", () => {
    const reverts = new Reverts();
    reverts.add([unit(6, 1)], unit(5, 1));
    reverts.add([unit(9, 1)], unit(8, 1));
    reverts.add([unit(8, 7)], unit(5, 3));
    expect(reverts.baseOf(6, "01010101")).toEqual(unit(5, 1));
    expect(reverts.baseOf(9, "01010101")).toEqual(unit(5, 3));
  });

  it("of a reverted block is known for the last 10,000 of them", () => {
    const reverts = new Reverts();
    reverts.add(
      Array.from({ length: 10_001 }, (_, at) => unit(10 + at)),
      unit(5),
    );
    expect(reverts.baseOf(10, "01010101")).toBeUndefined();
    expect(reverts.baseOf(11, "01010101")).toEqual(unit(5));
  });
});
