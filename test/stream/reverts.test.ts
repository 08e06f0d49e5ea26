import { describe, expect, it } from "vitest";
import { SentLog } from "../../server/stream/reverts.js";
import { nothing } from "../../server/stream/subscriptions/filter.js";
import { Subscription } from "../../server/stream/subscriptions/subscription.js";

const unit = (seqno: number) => ({ seqno, rootHash: Uint8Array.of(seqno), genUtime: 1n, endLt: 1n });
const receiver = new Subscription({ isFull: false, send() {}, tell() {} }, nothing);

describe("the log of what was sent", () => {
  it("gives the traces above a block with their receivers, once", () => {
    const log = new SentLog();
    for (const seqno of [5, 6, 7]) {
      log.reached(unit(seqno));
      log.add(seqno, `trace ${seqno}`, receiver);
    }
    expect(log.takeAbove(5).map(({ trace }) => trace)).toEqual(["trace 6", "trace 7"]);
    expect(log.units.map(({ seqno }) => seqno)).toEqual([5]);
    expect(log.takeAbove(5)).toEqual([]);
    expect(log.takeAbove(4)).toEqual([{ seqno: 5, trace: "trace 5", receiver }]);
    expect(log.units).toEqual([]);
  });

  it("has a copy of each block's hash", () => {
    const log = new SentLog();
    const bytes = Uint8Array.of(9, 8, 7);
    log.reached({ ...unit(1), rootHash: bytes.subarray(1) });
    bytes[1] = 0;
    expect(log.units[0]).toEqual({ ...unit(1), rootHash: Uint8Array.of(8, 7) });
    expect(log.units[0]!.rootHash.buffer.byteLength).toBe(2);
  });

  it("keeps the newest thousand blocks at least, and two thousand at most", () => {
    const log = new SentLog();
    for (let seqno = 1; seqno <= 2000; seqno++) log.reached(unit(seqno));
    expect(log.units).toHaveLength(2000);
    log.reached(unit(2001));
    expect([log.units.length, log.units[0]!.seqno, log.units.at(-1)!.seqno]).toEqual([1000, 1002, 2001]);
  });

  it("keeps the newest hundred thousand traces at least", () => {
    const log = new SentLog();
    for (let at = 1; at <= 200_000; at++) log.add(at, "", receiver);
    expect(log.takeAbove(199_999)).toHaveLength(1);
    log.add(200_000, "", receiver);
    log.add(200_001, "", receiver);
    const left = log.takeAbove(0);
    expect([left.length, (left[0] as { seqno: number } | undefined)?.seqno]).toEqual([100_000, 100_002]);
  });
});
