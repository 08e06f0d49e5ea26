import { describe, expect, test } from "vitest";
import { ProgressMeter, RateMeter } from "../../../server/indexer/work/progress.js";

/** A clock to be set, in seconds. */
function clock(sec: number) {
  const time = { sec };
  return { time, now: () => 1000 * time.sec };
}

describe("The lag of an index", () => {
  test("is the age of its newest block while it catches up", () => {
    const { time, now } = clock(10_000);
    const meter = new ProgressMeter(now);
    meter.begin({ seqno: 5, genUtime: 4000 });
    meter.chainIsAt(100);
    expect(meter.progress).toMatchObject({
      seqno: 5,
      chainSeqno: 100,
      lagSec: 6000,
      remainingSec: undefined,
    });
    time.sec += 10;
    meter.stored({ seqno: 25, genUtime: 5000 });
    expect(meter.progress).toMatchObject({ lagSec: 5010, blocksPerSec: 2, remainingSec: 38 });
    meter.stored({ seqno: 100, genUtime: 9999 });
    expect(meter.progress).toMatchObject({ lagSec: 0, remainingSec: 0 });
  });

  test("counts from the block that is missing where the one before is old", () => {
    const { time, now } = clock(10_000);
    const meter = new ProgressMeter(now);
    meter.begin({ seqno: 5, genUtime: 10 });
    meter.chainIsAt(5);
    time.sec += 3600;
    expect(meter.progress.lagSec).toBe(0);
    meter.chainIsAt(6);
    expect(meter.progress.lagSec).toBe(0);
    time.sec += 7;
    expect(meter.progress.lagSec).toBe(7);
  });

  test("is unknown as long as nothing is stored", () => {
    const { now } = clock(10_000);
    const meter = new ProgressMeter(now);
    meter.chainIsAt(1);
    expect(meter.progress).toMatchObject({ seqno: 0, lagSec: undefined });
  });
});

test("A failure is shown until the index goes on", () => {
  const { now } = clock(1);
  const meter = new ProgressMeter(now);
  meter.failed(new Error("gone"));
  expect(meter.progress.failure).toBe("gone");
  meter.stored({ seqno: 1, genUtime: 1 });
  expect(meter.progress.failure).toBe(undefined);
  meter.failed(new Error("gone again"));
  meter.recovered();
  expect(meter.progress.failure).toBe(undefined);
});

test("A rate is that of the last half minute", () => {
  const { time, now } = clock(0);
  const rate = new RateMeter(now);
  expect([rate.perSec, rate.remainingSec(10), rate.remainingSec(0)]).toEqual([0, undefined, 0]);
  rate.begin(0);
  for (let second = 1; second <= 100; second++) {
    time.sec = second;
    rate.reached(second <= 50 ? 10 * second : 500 + (second - 50));
  }
  expect(rate.perSec).toBeCloseTo(1);
  expect(rate.remainingSec(600)).toBe(600);
});
