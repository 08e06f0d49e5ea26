import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import { type ReclassifyRange, reclassify } from "../../../server/indexer/classify/reclassify.js";
import { type BackfillProgress, RateMeter } from "../../../server/indexer/work/progress.js";
import type { Database } from "../../../server/store/database.js";
import { lockNumbers } from "../../../server/store/sql/locks.js";
import { underLock } from "../../../server/store/under-lock.js";
import { ton } from "../../helpers/chain/devnet.js";
import { classifier } from "../../helpers/index/classifier.js";
import { detectedDevnetOfFile, idOf, someAddress } from "../../helpers/index/detection.js";
import { indexAll } from "../../helpers/index/index-chain.js";
import { citusUrl } from "../../helpers/store/cluster-databases.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { dumpTables } from "../../helpers/store/tables.js";
import { storyIndex } from "../../helpers/stories/story-index.js";

const storyDevnet = detectedDevnetOfFile("story");
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
    {
      signal = new AbortController().signal,
      onProgress = () => {},
    }: { signal?: AbortSignal; onProgress?: (progress: BackfillProgress) => void } = {},
  ) =>
    underLock(database, lockNumbers.reclassification, signal, (held, lock) =>
      reclassify(
        {
          database: database.sql(),
          lock,
          classifiers: [classifier, classifier],
          range,
          rate: new RateMeter(Date.now),
          onProgress,
          atOnce: 3,
        },
        held,
      ),
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
    const rounds: BackfillProgress[] = [];
    const onProgress = (progress: BackfillProgress) => {
      if (rounds.push(progress) === 2) stop.abort();
    };
    await expect(run(database, all, { signal: stop.signal, onProgress })).rejects.toThrow("aborted");
    expect(await dumpTables(database, tableNames)).not.toEqual(expected);
    // Of the blocks that there are.
    const [range] = await database
      .sql()
      .query<{ first: number; last: number }>(SQL`select first, last from indexed_range`);
    const there = range!.last - range!.first + 1;
    for (const { blocks, missing } of rounds) {
      expect(blocks).toBe(there);
      expect(missing).toBeLessThan(there);
    }
    await run(database, all);
    expect(await dumpTables(database, tableNames)).toEqual(expected);
    expect(await database.sql().query(SQL`select 1 from index_meta where key = 'reclassification'`)).toEqual(
      [],
    );
  });

  test("follow from messages in the name of others, where an earlier version missed the sender", async ({
    skip,
  }) => {
    skip(citusUrl !== undefined, "no earlier version divided an index");
    const { controls, api, events, detection } = await storyDevnet();
    const database = await fresh(storyIndex);
    await controls.impersonate({ from: idOf(someAddress(1)), to: idOf(someAddress(2)), value: ton });
    await indexAll(database, api, { events, detection, classifier });
    const expected = await dumpTables(database, tableNames);
    await script(
      database,
      `truncate actions, action_accounts, action_locator;
      update traces t set state = 2, pending_edges_ = 1, edges_ = t.edges_ - 1, classification_state = 0
      where exists (select from messages m where m.tx_lt = t.start_lt and m.tx_hash = t.trace_id and m.direction = 0
        and m.created_lt = t.start_lt / 1000000 * 1000000)`,
    );
    expect((await dumpTables(database, ["traces"]))["traces"]).not.toEqual(expected["traces"]);
    await run(database, all);
    expect(await dumpTables(database, tableNames)).toEqual(expected);
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
