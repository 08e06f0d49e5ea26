import { expect, onTestFinished, test } from "vitest";
import { classifyTrace } from "../../../server/indexer/classify/classify-trace.js";
import { TraceClassifier } from "../../../server/indexer/classify/trace-classifier.js";
import { backfill } from "../../../server/indexer/follow/backfill.js";
import { LateRecognition } from "../../../server/indexer/follow/late-recognition.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import type { RecognitionLimits } from "../../../server/indexer/recognition/recognition-budget.js";
import { planRanges } from "../../../server/indexer/work/ranges.js";
import type { Database } from "../../../server/store/database.js";
import { readQueueLength } from "../../../server/store/queries/upkeep/recognition-queue.js";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { endingAt } from "../../helpers/chain/ending-at.js";
import { isLong, sized } from "../../helpers/effort.js";
import { classifier } from "../../helpers/index/classifier.js";
import { type DetectedDevnet, startDetection } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { sharedStory } from "../../helpers/stories/shared-story.js";

/** No code may be run while a block waits. */
const nothing: Partial<RecognitionLimits> = { share: 0, savedMs: 0, trustedMs: Number.POSITIVE_INFINITY };
/** Leaves traces for later that take more than a moment. */
const hasty = new TraceClassifier({
  thread: { run: async (jobs) => jobs.map((job) => classifyTrace(job)) },
  limits: { ownMs: 0, traceMs: 0, share: 0, savedMs: 0 },
});
const unstopped = new AbortController().signal;

function lateRecognition(database: Database, lite: LiteApi, detection: Detection): LateRecognition {
  const onError = (error: Error) => {
    throw error;
  };
  return new LateRecognition({ database: database.sql(), lite, detection, classifier, share: 1, onError });
}

const lengthOf = async (database: Database) => (await readQueueLength(queriesOf(database))).length;

/** The story, or its first blocks. */
async function lateStory() {
  const devnet = await sharedStory();
  onTestFinished(() => devnet.close());
  const { last } = await devnet.api.getMasterchainInfo();
  const newest = sized(30, last.seqno);
  const strict = await startDetection(devnet, { limits: nothing });
  onTestFinished(() => strict.close());
  return { ...devnet, api: endingAt(devnet.api, newest), newest, strict };
}

describeDatabases("Accounts that are recognised later", (fresh) => {
  /** The content of an index that was filled without budgets. */
  async function filledAtOnce({
    api,
    events,
    detection,
  }: Pick<DetectedDevnet, "api" | "events" | "detection">) {
    const sequential = await fresh();
    await indexAll(sequential, api, { events, detection, classifier });
    expect(await lengthOf(sequential)).toBe(0);
    return dumpTables(sequential);
  }

  test("leave an index that equals one without budgets", async () => {
    const story = await lateStory();
    const { api: lite, events, strict } = story;
    const expected = await filledAtOnce(story);
    const late = await fresh();
    const setting = { events, detection: strict.detection, classifier: hasty, lateShare: 0 };
    await indexAll(late, lite, setting);
    const committed = await dumpTables(late);
    expect(committed["transactions"]).toEqual(expected["transactions"]);
    expect(committed["awaited_contracts"]!.length).toBeGreaterThan(5);
    expect(committed["actions"]).not.toEqual(expected["actions"]);
    const left = committed["traces"]!.filter((row) => row.includes('"classification_state":0'));
    expect(left.length).toBeGreaterThan(2);
    expect(await lengthOf(late)).toBeGreaterThan(5);
    await lateRecognition(late, lite, strict.detection).finish(unstopped);
    expect(await lengthOf(late)).toBe(0);
    expect(await dumpTables(late)).toEqual(expected);
  });

  test.runIf(isLong)("leave it for any order of filling ranges", async () => {
    const story = await lateStory();
    const { api: lite, events, strict, newest } = story;
    const expected = await filledAtOnce(story);
    const reversed = await fresh();
    for (let to = newest; to > 0; to -= 7) {
      await planRanges(reversed.sql(), { from: Math.max(1, to - 6), to });
      const setting = { database: reversed, lite, edited: events.edited, detection: strict.detection };
      await backfill({ ...setting, classifier, worker: "filler", onError: () => {} }, unstopped);
    }
    await lateRecognition(reversed, lite, strict.detection).finish(unstopped);
    expect(await dumpTables(reversed)).toEqual(expected);
  });
});
