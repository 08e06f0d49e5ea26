import SQL from "sql-template-tag";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database, Sql } from "../../../server/store/database.js";
import { Statistics } from "../../../server/store/slots/statistics.js";
import { replayOf } from "../../helpers/chain/open-replay.js";
import { isLong } from "../../helpers/effort.js";
import { follow } from "../../helpers/index/index-chain.js";
import { citusUrl } from "../../helpers/store/cluster-databases.js";
import { describeBothDatabases, describeDatabase } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { storeRows } from "../../helpers/store/rows.js";
import { sampleIndex } from "../../helpers/store/sample-index.js";
import { describeWithChain } from "../../helpers/test-data.js";
import { until } from "../../helpers/until.js";

const dayMs = 24 * 60 * 60 * 1000;

/** The partitioned tables that the planner knows something of. */
async function analysed(database: Database): Promise<string[]> {
  const rows = await queriesOf(database).query<{ name: string }>(SQL`
    select distinct tablename::text as name from pg_stats
    where inherited and schemaname = 'public' and tablename in ('transactions', 'messages') order by 1`);
  return rows.map(({ name }) => name);
}

const hasAll = async (database: Database) => (await analysed(database)).length === 2;

// Nodes of a cluster keep those of their shards.
const describeServer = isLong || citusUrl !== undefined ? describeBothDatabases : describeDatabase;

describeServer("The statistics of partitioned tables", (fresh) => {
  async function open(now: () => number = () => 0): Promise<[Database, Statistics]> {
    const database = await fresh();
    await storeRows(database, sampleIndex());
    const statistics = new Statistics(database, { now });
    onTestFinished(() => statistics.close());
    return [database, statistics];
  }

  test("are made after a new slot", async () => {
    const [database, statistics] = await open();
    statistics.slotCreated();
    expect(await analysed(database)).toEqual([]);
    statistics.stored(1);
    await until("statistics", () => hasAll(database));
  });

  test("are made again after a day", async () => {
    let now = 0;
    const [database, statistics] = await open(() => now);
    now = dayMs;
    statistics.stored(1);
    await until("statistics", () => hasAll(database));
  });

  test("are made while the index is small, as soon as it has grown", async () => {
    const [database, statistics] = await open();
    statistics.stored(10_000);
    await until("statistics", () => hasAll(database));
  });
});

describe("An analysis of all tables", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Tables that an analysis reaches if each takes a tenth of a second. */
  async function analysis(isConcurrent: boolean): Promise<{ tables: number; pauses: number[] }> {
    const pauses: number[] = [];
    let count = 0;
    const query: Sql["query"] = async () => {
      count++;
      vi.advanceTimersByTime(100);
      return [];
    };
    const pause = async (ms: number) => void pauses.push(ms);
    const statistics = new Statistics(
      { sql: () => ({ query }) as Sql, isConcurrent },
      { now: () => 0, pause },
    );
    statistics.slotCreated();
    statistics.stored(1);
    await statistics.close();
    return { tables: count, pauses };
  }

  test("leaves others the embedded database for nine tenths of the time", async () => {
    const { tables, pauses } = await analysis(false);
    expect(tables).toBeGreaterThan(40);
    expect(pauses).toEqual(Array(tables).fill(900));
  });

  test("reports a failure, and tries again with the next batch", async () => {
    const failures: unknown[] = [];
    const lost = new Error("the connection is lost");
    const query: Sql["query"] = () => Promise.reject(lost);
    const statistics = new Statistics(
      { sql: () => ({ query }) as Sql, isConcurrent: true },
      {
        now: () => 0,
        fallback: (...failure) => void failures.push(failure),
      },
    );
    statistics.slotCreated();
    for (let batch = 0; batch < 2; batch++) {
      statistics.stored(1);
      await vi.waitFor(() => expect(failures).toHaveLength(batch + 1));
    }
    expect(failures).toEqual(Array(2).fill(["planner-statistics", lost]));
    await statistics.close();
  });

  test("continues immediately while it delays no other work", async () => {
    expect((await analysis(true)).pauses).toEqual([]);
  });
});

describeWithChain("A writer of the index", (chain) => {
  describeServer("in", (fresh) => {
    test("keeps the statistics of partitioned tables", async () => {
      const database = await fresh();
      const { follower } = follow(database, replayOf(chain.folder));
      onTestFinished(() => follower.close());
      await until("statistics", () => hasAll(database));
    });
  });
});
