import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { type ReclassifyRange, reclassify } from "../../../server/indexer/classify/reclassify.js";
import { RateMeter } from "../../../server/indexer/follow/progress.js";
import type { Database } from "../../../server/store/database.js";
import { classifier } from "../../helpers/index/classifier.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

const tableNames = ["traces", "actions", "action_accounts", "action_locator"];
const all: ReclassifyRange = { from: 1, to: 2147483646 };

describeDatabase("Actions that are derived anew", (fresh) => {
  const prepared = async () => {
    const database = await fresh(storyIndex);
    return { database, expected: await dumpTables(database, tableNames) };
  };
  const run = (
    database: Database,
    range: ReclassifyRange,
    { signal = new AbortController().signal, onProgress = () => {} } = {},
  ) =>
    reclassify(
      {
        database: database.sql(),
        classifiers: [classifier, classifier],
        range,
        rate: new RateMeter(Date.now),
        onProgress,
        atOnce: 3,
      },
      signal,
    );
  const script = (database: Database, text: string) =>
    database.sql().transaction((transaction) => transaction.script(text));

  test("restores lost actions, and classifies unclassified traces, also where a stopped run had come to", async () => {
    const { database, expected } = await prepared();
    await script(
      database,
      "truncate actions, action_accounts, action_locator; update traces set classification_state = 0",
    );
    const stop = new AbortController();
    let rounds = 0;
    const onProgress = () => {
      if (++rounds === 2) stop.abort();
    };
    await expect(run(database, all, { signal: stop.signal, onProgress })).rejects.toThrow("aborted");
    expect(await dumpTables(database, tableNames)).not.toEqual(expected);
    await run(database, all);
    expect(await dumpTables(database, tableNames)).toEqual(expected);
    expect(await database.sql().query(SQL`select 1 from index_meta where key = 'reclassification'`)).toEqual(
      [],
    );
  });

  test("take the place of those of the named type and blocks only", async () => {
    const { database, expected } = await prepared();
    const [mint] = await database
      .sql()
      .query<{ seqno: number }>(
        SQL`select min(trace_mc_seqno_end) as seqno from actions where type = 'jetton_mint'`,
      );
    await script(
      database,
      "update actions set success = not success where type in ('jetton_mint', 'ton_transfer')",
    );
    const wrong = async (type: string) => {
      const right = new Set(expected["actions"]);
      const rows = (await dumpTables(database, ["actions"]))["actions"]!;
      return rows.filter((row) => !right.has(row) && (JSON.parse(row) as { type: string }).type === type)
        .length;
    };
    const transfers = await wrong("ton_transfer");
    const mints = await wrong("jetton_mint");
    await run(database, { from: 1, to: mint!.seqno - 1, type: "jetton_mint" });
    expect(await wrong("jetton_mint")).toBe(mints);
    await run(database, { ...all, type: "jetton_mint" });
    expect(await wrong("jetton_mint")).toBe(0);
    expect(await wrong("ton_transfer")).toBeGreaterThan(0);
    expect(await wrong("ton_transfer")).toBeLessThanOrEqual(transfers);
    await run(database, all);
    expect(await dumpTables(database, tableNames)).toEqual(expected);
  });
});
