import { expect, onTestFinished, test } from "vitest";
import { Redetection, type RedetectionSetting } from "../../../server/indexer/follow/redetect.js";
import type { Detection } from "../../../server/indexer/recognition/detection.js";
import { ChainUnits } from "../../../server/indexer/units/chain-units.js";
import type { Database } from "../../../server/store/database.js";
import { replaceMeta } from "../../../server/store/queries/upkeep/index-meta.js";
import { contractTables } from "../../../server/store/tables/all-tables.js";
import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { compile } from "../../helpers/contracts/tolk.js";
import { isLong } from "../../helpers/effort.js";
import {
  type DetectedDevnet,
  detectedDevnetOfFile,
  place,
  someAddress,
} from "../../helpers/index/detection.js";
import { follow, indexAll } from "../../helpers/index/index-chain.js";
import { describeDatabases } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

const tableNames = contractTables.map(({ name }) => name);
const dump = (database: Database) => dumpTables(database, tableNames);
const unstopped = new AbortController().signal;

const storyDevnet = detectedDevnetOfFile("story");
const emptyDevnet = detectedDevnetOfFile("empty");

function redetection(
  database: Database,
  { api: lite, detection }: DetectedDevnet,
  special: Partial<RedetectionSetting> = {},
): Redetection {
  const units = new ChainUnits({ lite });
  const onError = (error: Error) => {
    throw error;
  };
  return new Redetection({ database, lite, units, detection, now: Date.now, onError, ...special });
}

/** Calls `after` when a page has been recognised, before it is stored. Counts the accounts. */
function interrupted(detection: Detection, after: (page: number) => Promise<void>) {
  const looked: number[] = [];
  const recognise: Detection["recognise"] = async (queries, seen) => {
    const found = await detection.recognise(queries, seen);
    looked.push(seen.accounts.length);
    await after(looked.length);
    return found;
  };
  return { looked, recognise };
}

describeDatabases("An index that was filled without recognition", (fresh) => {
  test("has after a redetection the contracts of one that was filled with it", async () => {
    const devnet = await storyDevnet();
    const database = await fresh(storyIndex);
    const expected = await dump(database);
    // Indexed by a version without recognition.
    await database.sql().transaction((sql) => sql.script(`truncate ${tableNames.join(", ")}`));
    expect(await dump(database)).not.toEqual(expected);
    const run = redetection(database, devnet, { accountsPerPage: 5 });
    await run.run(unstopped);
    expect(await dump(database)).toEqual(expected);
    const { accounts, missing, remainingSec } = run.progress!;
    expect([missing, remainingSec]).toEqual([0, 0]);
    expect(accounts).toBeGreaterThan(10);
  });

  test.runIf(isLong)("is redetected from where a stopped run was", async () => {
    const devnet = await storyDevnet();
    const { api, events, detection } = devnet;
    const database = await fresh();
    await indexAll(database, api, { events });
    const stop = new AbortController();
    const first = interrupted(detection, async (page) => void (page === 3 && stop.abort()));
    const stopped = redetection(database, devnet, { detection: first, accountsPerPage: 3 });
    await expect(stopped.run(stop.signal)).rejects.toMatchObject({ name: "AbortError" });
    const { accounts, missing } = stopped.progress!;
    expect(accounts - missing).toBe(9);

    const second = interrupted(detection, async () => {});
    const continued = redetection(database, devnet, { detection: second, accountsPerPage: 3 });
    await continued.run(unstopped);
    const again = interrupted(detection, async () => {});
    await redetection(database, devnet, { detection: again, accountsPerPage: 3 }).run(unstopped);
    const sum = (counts: number[]) => counts.reduce((all, count) => all + count, 0);
    expect(sum(first.looked) + sum(second.looked)).toBe(sum(again.looked));
    expect(second.looked.length).toBe(again.looked.length - 3);
  });

  test.runIf(isLong)(
    "is looked at from its beginning if an earlier version that read less of contracts was stopped",
    async () => {
      const devnet = await emptyDevnet();
      const jetton = someAddress(7);
      await place(devnet, jetton, await jettonCode(), indexOf(1));
      const database = await fresh();
      await indexAll(database, devnet.api, { events: devnet.events });
      const cursor = { kinds: tableNames.join(" "), account: "ff".repeat(33) };
      await replaceMeta(database.sql(), "redetection", JSON.stringify(cursor));
      await redetection(database, devnet).run(unstopped);
      expect((await dump(database))["jetton_masters"]).toHaveLength(1);
    },
  );

  test.runIf(isLong)("keeps the rows that the indexer stores during a redetection", async () => {
    const devnet = await emptyDevnet();
    const { api, events, controls, detection } = devnet;
    const [changed, gone] = [someAddress(5), someAddress(6)];
    await controls.mine(1);
    const { id: before } = await controls.snapshot();
    await place(devnet, gone, await collectionCode(), indexOf(1));
    await place(devnet, changed, await collectionCode(), indexOf(1));
    const database = await fresh();
    await indexAll(database, api, { events });
    const { follower, reaches } = follow(database, api, { events, detection, mayRevert: true });
    onTestFinished(() => follower.close());
    const busy = interrupted(detection, async () => {
      await controls.revert(before);
      await place(devnet, changed, await collectionCode(), indexOf(2));
      await reaches((await controls.mine(9)).block.seqno);
    });
    await redetection(database, devnet, { detection: busy }).run(unstopped);
    expect(busy.looked).toHaveLength(1);
    const clean = await fresh();
    await indexAll(clean, api, { events, detection });
    expect(await dump(database)).toEqual(await dump(clean));
    const [row, ...others] = (await dump(database))["nft_collections"] as string[];
    expect(others).toEqual([]);
    expect(row).toContain('"next_item_index":2,');
  });
});

/** A jetton without an admin, as TON's newer templates state it. */
function jettonCode(): Promise<Cell> {
  return compile(`
    get fun get_jetton_data(): (int, bool, address?, cell, cell) {
      return (5, true, null, beginCell().storeUint(0x0161, 16).endCell(), createEmptyCell());
    }`);
}

/** A collection whose data are its next index. */
function collectionCode(): Promise<Cell> {
  return compile(`
    get fun get_collection_data(): (int, cell, slice) {
      return (contract.getData().beginParse().loadUint(8), beginCell().storeUint(0x0161, 16).endCell(),
        beginCell().storeUint(0, 2).endCell().beginParse());
    }`);
}

function indexOf(index: number): Cell {
  return beginCell().storeUint(index, 8).endCell();
}
