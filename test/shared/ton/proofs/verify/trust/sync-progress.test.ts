import { expect, test } from "vitest";
import { SyncProgress } from "../../../../../../shared/ton/proofs/verify/trust/sync-progress.js";

test("the key blocks that are left are estimated from the distances of those proven", () => {
  const progress = new SyncProgress();
  progress.add(100);
  // One key block tells no distance.
  expect(progress.estimate(100, 1000)).toEqual({ keyBlock: 100, proven: 1, about: 1 });
  progress.add(200);
  expect(progress.estimate(200, 1000)).toEqual({ keyBlock: 200, proven: 2, about: 10 });
  progress.add(400);
  expect(progress.estimate(400, 1000)).toEqual({ keyBlock: 400, proven: 3, about: 7 });
  // A part of a distance counts as one more.
  expect(progress.estimate(400, 551)).toEqual({ keyBlock: 400, proven: 3, about: 5 });
});

test("none is left once the target is reached", () => {
  const progress = new SyncProgress();
  for (const seqno of [10, 20, 30]) progress.add(seqno);
  expect(progress.estimate(30, 30).about).toBe(3);
  expect(progress.estimate(30, 25).about).toBe(3);
});

test("without a key block nothing is proven", () => {
  expect(new SyncProgress().estimate(5, 100)).toEqual({ keyBlock: 5, proven: 0, about: 0 });
});
