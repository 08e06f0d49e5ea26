import { describe, expect, it } from "vitest";
import { compareKeys, cursorOf, type EventKey, endOf, keyOfCursor } from "../../server/stream/event-key.js";
import { nothing } from "../../server/stream/filter.js";
import { Reverts } from "../../server/stream/reverts.js";
import { Sent } from "../../server/stream/sent.js";
import { type Notice, type Sink, Subscription } from "../../server/stream/subscription.js";

const unit = (seqno: number, byte = 1) => ({
  seqno,
  rootHash: new Uint8Array(32).fill(byte),
  genUtime: BigInt(seqno),
  endLt: BigInt(seqno),
});
const keyOf = (seqno: number, lt: number): EventKey => ({ seqno, rank: 1, lt: BigInt(lt), id: "" });
const sent = (key: EventKey) => new Sent({ json: "{}", key }) as Sent & { key: EventKey };

class CountingSink implements Sink {
  isFull = false;
  readonly keys: EventKey[] = [];
  readonly notices: Notice[] = [];

  send({ key }: Sent): void {
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
  });
});
