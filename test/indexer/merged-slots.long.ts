import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { backfill } from "../../server/indexer/follow/backfill.js";
import { planRanges } from "../../server/indexer/work/ranges.js";
import type { Database } from "../../server/store/database.js";
import { mergeOldSlots } from "../../server/store/slots/cold-slots.js";
import { replayOf } from "../helpers/chain/open-replay.js";
import { classifier } from "../helpers/index/classifier.js";
import { indexAll } from "../helpers/index/index-chain.js";
import { describeServers } from "../helpers/store/describe-databases.js";
import { queriesOf } from "../helpers/store/queries-of.js";
import {
  expectAllContents,
  expectWholeDirectories,
  slotlessTables,
} from "../helpers/store/slot-directories.js";
import { dumpTables } from "../helpers/store/tables.js";
import { describeWithChain } from "../helpers/test-data.js";

/** Number of slots for the whole chain. */
const slots = 30;

async function narrowSlots(database: Database, lastLt: bigint): Promise<void> {
  const width = String(lastLt / BigInt(slots));
  await queriesOf(database).query(SQL`update index_meta set value = ${width} where key = 'lt_grid'`);
}

async function lastLtOf(database: Database): Promise<bigint> {
  const [row] = await queriesOf(database).query<{ last: bigint }>(
    SQL`select max(start_lt) as last from blocks`,
  );
  return row!.last;
}

describeWithChain("The first blocks of mainnet, indexed while old slots are merged", (chain) => {
  describeServers("on", (fresh) => {
    test("are the same as without", async () => {
      const undisturbed = await fresh();
      await indexAll(undisturbed, replayOf(chain.folder), { classifier });
      const expected = await dumpTables(undisturbed, slotlessTables);

      const database = await fresh();
      await narrowSlots(database, await lastLtOf(undisturbed));
      const { newest } = chain;
      await planRanges(database.sql(), { from: 1, to: newest, blocks: Math.ceil(newest / 15) });
      const ending = new AbortController();
      const fill = (worker: string) =>
        backfill(
          {
            database,
            lite: replayOf(chain.folder),
            classifier,
            worker,
            limits: { blocks: 3, rows: 1000 },
            onError(error) {
              throw error;
            },
          },
          ending.signal,
        );
      let isFilled = false;
      const filling = Promise.all(["first", "second"].map(fill)).finally(() => {
        isFilled = true;
      });
      const options = { pauseMs: 5, lockMs: 200, attempts: 20 };
      // One pool: each would hold its connections until the end.
      const sql = database.sql();
      while (!isFilled) await mergeOldSlots(sql, options);
      await filling;
      while (!(await mergeOldSlots(sql, options)));

      const [merged] = await queriesOf(database).query<{ n: bigint }>(SQL`
        select count(*) as n from slots where merged`);
      expect(merged!.n).toBeGreaterThan(1n);
      expect(await dumpTables(database, slotlessTables)).toEqual(expected);
      await expectWholeDirectories(database);
      await expectAllContents(database);
    });
  });
});
