import { expect, onTestFinished, test } from "vitest";
import type { Sql } from "../../../server/store/database.js";
import { isUnanswered } from "../../../server/store/database-errors.js";
import { mergeOldSlots } from "../../../server/store/slots/cold-slots.js";
import { handledLater } from "../../../shared/values/promises.js";
import { mayFreeze } from "../../helpers/frozen.js";
import { askOnce } from "../../helpers/store/ask-once.js";
import { divideAt } from "../../helpers/store/cluster-databases.js";
import { grownContent } from "../../helpers/store/growing-index.js";
import { haveCitus, startCluster } from "../../helpers/store/local-cluster.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import {
  expectAllContents,
  expectWholeDirectories,
  slotlessTables,
} from "../../helpers/store/slot-directories.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { type Watch, watchedSql } from "../../helpers/store/watched-sql.js";
import { until } from "../../helpers/until.js";

/** A group of four is old, and one more slot with it. */
const content = grownContent(9, 10);
const eager = { pauseMs: 5, attempts: 20 };

/** Statements of a merge, in the order in which each table comes to them. */
const stages = {
  directories: /^\s*insert into account_slots/,
  watching: /^\s*create or replace trigger/,
  copying: /^insert into \w+_merging_/,
  indexing: /^(create (unique )?index on \w+_merging_|alter table \w+_merging_\w+ add)/,
  copied: /^vacuum/,
  detaching: /^alter table \w+ detach partition/,
  attaching: /^alter table \w+ attach partition \w+_merging_/,
  replaced: /^alter table \w+_merging_\d+ rename/,
  dropping: /^drop table if exists \w+_replaced_/,
};

test.runIf(haveCitus() && mayFreeze)(
  "Old slots of a cluster are merged to the end, and nothing is lost, when nodes are killed at each step",
  { timeout: 600_000 },
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    await divideAt(cluster.url);
    const database = openPatiently(cluster.url);
    onTestFinished(() => database.close());
    await content.fill(database);
    const before = await dumpTables(database, slotlessTables);
    const sql = database.sql();
    const all = [cluster.url, ...cluster.nodes];
    const [, late] = cluster.nodes;
    /** Whether all is merged. */
    const merge = async (of: Sql) => {
      try {
        return await mergeOldSlots(of, eager);
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        return false;
      }
    };
    /** Merges until a statement of the stage comes, which `strike` gets. Returns whether all was merged. */
    const mergeTo = async (stage: RegExp, strike: Watch) => {
      let isStruck = false;
      const isMerged = await merge(
        watchedSql(sql, (step, run) => {
          if (isStruck || !("text" in step && stage.test(step.text))) return run();
          isStruck = true;
          return strike(step, run);
        }),
      );
      expect([stage, isStruck]).toEqual([stage, true]);
      return isMerged;
    };

    for (const [name, stage] of Object.entries(stages))
      for (const node of [2, 0]) {
        const isMerged = await mergeTo(stage, async (_, run) => {
          await cluster.kill(node);
          return run();
        });
        expect([name, node, isMerged]).toEqual([name, node, false]);
        cluster.start();
      }

    // Both nodes prepare the commit. Then one of them is killed before the coordinator commits there.
    let striking = Promise.resolve();
    await mergeTo(stages.replaced, async (_, run) => {
      const result = await run();
      const prepared = () => askOnce(late!, "select gid from pg_prepared_xacts");
      cluster.freeze(1);
      striking = handledLater(
        until("the prepared commit", async () => (await prepared()).length > 0)
          .then(() => cluster.kill(2))
          .finally(() => cluster.thaw(1)),
      );
      return result;
    });
    await striking;
    cluster.start();
    expect(await askOnce(late!, "select gid from pg_prepared_xacts")).toHaveLength(1);

    await until("the last merge", () => merge(sql));
    for (const url of all) {
      await until(
        "the end of commits in doubt",
        async () => (await askOnce(url, "select gid from pg_prepared_xacts")).length === 0,
      );
      const left = await askOnce(
        url,
        `select relname as name from pg_class where relname ~ '_(merging|changed|replaced)_[0-9]' and relkind in ('r', 'p')
        union all select tgname from pg_trigger where tgname ~ '^note_change(_[0-9]+)?$'`,
      );
      expect(left).toEqual([]);
    }
    expect(await dumpTables(database, slotlessTables)).toEqual(before);
    await expectWholeDirectories(database);
    await expectAllContents(database);
  },
);
