import { expect, onTestFinished, test } from "vitest";
import { backfill } from "../../../server/indexer/backfill.js";
import { reclassify } from "../../../server/indexer/classify/reclassify.js";
import { RateMeter } from "../../../server/indexer/progress.js";
import { planRanges } from "../../../server/indexer/ranges.js";
import type { Database } from "../../../server/store/database.js";
import { classifier } from "../../helpers/classifier.js";
import { describeDatabases } from "../../helpers/describe-databases.js";
import { idOf, openDetectedDevnet, someAddress } from "../../helpers/detection.js";
import { ton } from "../../helpers/devnet.js";
import { follow, indexAll } from "../../helpers/index-chain.js";
import { allowSlowTests } from "../../helpers/slow-tests.js";
import { dumpTables } from "../../helpers/tables.js";

allowSlowTests();

const dump = (database: Database) =>
  dumpTables(database, ["traces", "actions", "action_accounts", "action_locator"]);

/** With the story told: the faucet pays once it is over. */
async function openStory() {
  const devnet = await openDetectedDevnet({ seed: "actions", story: true });
  const { block } = await devnet.controls.faucet(idOf(someAddress(9)), ton);
  return { devnet, last: block.seqno };
}

describeDatabases("The actions of an index", (fresh) => {
  test("are the same however long batches are, and once reclassified in whatever order ranges are filled", async () => {
    const { devnet, last } = await openStory();
    const { detection, api: lite } = devnet;
    const sequential = await fresh();
    await indexAll(sequential, lite, { detection, classifier });
    const expected = await dump(sequential);
    for (const [name, rows] of Object.entries(expected))
      expect([name, rows.length > 0]).toEqual([name, true]);

    const oneByOne = await fresh();
    await indexAll(oneByOne, lite, { detection, classifier, limits: { blocks: 1, rows: 1 } });
    expect(await dump(oneByOne)).toEqual(expected);

    const { signal } = new AbortController();
    const onError = (error: Error) => {
      throw error;
    };
    const reversed = await fresh();
    for (let to = last; to > 0; to -= 3) {
      await planRanges(reversed.sql(), { from: Math.max(1, to - 2), to });
      await backfill({ database: reversed, lite, detection, classifier, worker: "filler", onError }, signal);
    }
    // What only earlier blocks tell, as the index of an NFT, was not known then.
    const range = { from: 1, to: last };
    const rate = new RateMeter(Date.now);
    const task = { classifiers: [classifier], range, rate, onProgress: () => {}, atOnce: 1 };
    await reclassify({ database: reversed.sql(), ...task }, signal);
    expect(await dump(reversed)).toEqual(expected);
  });

  test("are taken back with the blocks that completed their traces", async () => {
    const { devnet } = await openStory();
    const { detection, controls, events } = devnet;
    const database = await fresh();
    const setting = { events, mayRevert: true, detection, classifier };
    const { follower, reaches } = follow(database, devnet.api, setting);
    onTestFinished(() => follower.close());
    const snapshot = await controls.snapshot();
    await controls.faucet(idOf(someAddress(1)), ton);
    const before = await controls.mine(1);
    await reaches(before.block.seqno);
    const count = (await dump(database))["actions"]!.length;
    await controls.revert(snapshot.id);
    await controls.faucet(idOf(someAddress(2)), 2n * ton);
    const after = await controls.mine(5);
    await reaches(after.block.seqno);
    await follower.close();
    const reverted = await dump(database);
    expect(reverted["actions"]!.length).toBe(count);
    const clean = await fresh();
    await indexAll(clean, devnet.api, { events, detection, classifier });
    expect(reverted).toEqual(await dump(clean));
  });
});
