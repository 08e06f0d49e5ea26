import { expect, test } from "vitest";
import { backfill } from "../../../server/indexer/follow/backfill.js";
import { planRanges } from "../../../server/indexer/work/ranges.js";
import type { Database } from "../../../server/store/database.js";
import { ton } from "../../helpers/chain/devnet.js";
import { classifier } from "../../helpers/index/classifier.js";
import { detectedDevnetOfFile, idOf, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";

const dump = (database: Database) =>
  dumpTables(database, ["traces", "actions", "action_accounts", "action_locator", "unknown_contracts"]);

const storyDevnet = detectedDevnetOfFile("story");

/** Includes the whole story, because the faucet pays only after it. */
async function openStory() {
  const devnet = await storyDevnet();
  const { block } = await devnet.controls.faucet(idOf(someAddress(9)), ton);
  return { devnet, last: block.seqno };
}

const onError = (error: Error) => {
  throw error;
};

/** Fills ranges of three blocks, the last one first. */
async function fillReversed(
  database: Database,
  { api: lite, detection }: Awaited<ReturnType<typeof openStory>>["devnet"],
  { from, to: last }: { from: number; to: number },
): Promise<void> {
  const { signal } = new AbortController();
  for (let to = last; to >= from; to -= 3) {
    await planRanges(database.sql(), { from: Math.max(from, to - 2), to });
    await backfill({ database, lite, detection, classifier, worker: "filler", onError }, signal);
  }
}

describeDatabase("The actions of an index", (fresh) => {
  let whole: Record<string, string[]> | undefined;
  /** The content of an index filled in one run, of a story that is always the same. */
  const indexedInOneGo = async ({ api, detection }: Awaited<ReturnType<typeof openStory>>["devnet"]) => {
    if (whole) return whole;
    const database = await fresh();
    await indexAll(database, api, { detection, classifier });
    whole = await dump(database);
    return whole;
  };

  test("are the same for any batch length, and any order of filling ranges", async () => {
    const { devnet, last } = await openStory();
    const { detection, api: lite } = devnet;
    const expected = await indexedInOneGo(devnet);
    for (const [name, rows] of Object.entries(expected))
      expect([name, rows.length > 0]).toEqual([name, name !== "unknown_contracts"]);

    const oneByOne = await fresh();
    await indexAll(oneByOne, lite, { detection, classifier, limits: { blocks: 1, rows: 1 } });
    expect(await dump(oneByOne)).toEqual(expected);

    const reversed = await fresh();
    await fillReversed(reversed, devnet, { from: 1, to: last });
    expect(await dump(reversed)).toEqual(expected);
  });

  test("are the same in an index that begins later, which records its unknown contracts", async () => {
    const { devnet, last } = await openStory();
    const { detection, api: lite } = devnet;
    const from = Math.floor(last / 2);
    const sequential = await fresh();
    await indexAll(sequential, lite, { detection, classifier, from });
    const expected = await dump(sequential);
    expect(expected["unknown_contracts"]!.length).toBeGreaterThan(0);

    const oneByOne = await fresh();
    await indexAll(oneByOne, lite, { detection, classifier, from, limits: { blocks: 1, rows: 1 } });
    expect(await dump(oneByOne)).toEqual(expected);

    const reversed = await fresh();
    await fillReversed(reversed, devnet, { from, to: last });
    expect(await dump(reversed)).toEqual(expected);

    await fillReversed(reversed, devnet, { from: 1, to: from - 1 });
    const filled = await dump(reversed);
    expect(filled).toEqual(await indexedInOneGo(devnet));
  });

  test("are the same if the process stopped before it reclassified traces with newly known contracts", async () => {
    const { devnet, last } = await openStory();
    const { detection, api: lite } = devnet;
    const expected = await indexedInOneGo(devnet);

    const stopped = await fresh();
    const middle = Math.floor(last / 2);
    await fillReversed(stopped, devnet, { from: middle + 1, to: last });
    const stop = new AbortController();
    await planRanges(stopped.sql(), { from: 1, to: middle });
    const setting = { database: stopped, lite, detection, classifier, worker: "filler", onError };
    const onStored = (seqno: number) => {
      if (seqno === middle) stop.abort();
    };
    await backfill({ ...setting, onStored }, stop.signal);
    expect(await dump(stopped)).not.toEqual(expected);
    await backfill(setting, new AbortController().signal);
    expect(await dump(stopped)).toEqual(expected);
  });
});
