import fc from "fast-check";
import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Database, Queries } from "../../../server/store/database.js";
import { readHourTotals } from "../../../server/store/queries/blocks/hour-totals.js";
import { mergeSlots } from "../../../server/store/queries/slots/slot-merges.js";
import { deleteAfter } from "../../../server/store/queries/upkeep/revert.js";
import type { BlockRow } from "../../../server/store/tables/blocks.js";
import { sized } from "../../helpers/effort.js";
import { describeDatabases, describePostgres } from "../../helpers/store/describe-databases.js";
import { ExplainedSql } from "../../helpers/store/explained-sql.js";
import { buffersOf, nodesOf } from "../../helpers/store/measured-reads.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { blockRow, storeRows } from "../../helpers/store/rows.js";
import { expectWholeDirectories } from "../../helpers/store/slot-directories.js";

const hourSec = 3600;
/** Masterchain blocks, each with one of a shard. Hours end within slots, and slots within hours. */
const blocks = 40;
const blocksPerSlot = 7;
const secondsPerBlock = 700;
const ltPerBlock = 100n;
/** Fees of several blocks do not fit a bigint. */
const greatFees = 2n ** 63n - 1n;

/** The blocks that came with a masterchain block. Some have no transactions, and after the tenth no block comes for hours. */
function blocksOf(seqno: number): BlockRow[] {
  const pause = seqno > 10 ? 5 * hourSec : 0;
  const facts = {
    ...{ seqno, mc_block_seqno: seqno, gen_utime: 1_700_000_000 + seqno * secondsPerBlock + pause },
    ...{ start_lt: BigInt(seqno) * ltPerBlock, end_lt: BigInt(seqno) * ltPerBlock + 1n },
  };
  return [
    blockRow({ ...facts, tx_count: 1, total_fees: seqno % 3 === 0 ? greatFees : 3n }),
    blockRow({ ...facts, workchain: 0, tx_count: seqno % 4, total_fees: BigInt(seqno % 4) * 1_000_000n }),
  ];
}

type Hour = { utime: number; transactions: number; fees: bigint };

/** The answer by the rows of blocks. */
function expectedOf(rows: readonly BlockRow[], many: number): object[] {
  const hours = new Map<number, Hour>();
  for (const { gen_utime, tx_count, total_fees } of rows) {
    const utime = Math.floor(gen_utime / hourSec) * hourSec;
    const { transactions, fees } = hours.get(utime) ?? { transactions: 0, fees: 0n };
    hours.set(utime, { utime, transactions: transactions + tx_count, fees: fees + total_fees });
  }
  const newest = Math.max(...hours.keys());
  return [...hours.values()]
    .filter(({ utime }) => utime > newest - many * hourSec)
    .sort((a, b) => b.utime - a.utime)
    .map((hour) => ({ ...hour, fees: String(hour.fees) }));
}

async function expectHours(database: Database, rows: readonly BlockRow[]): Promise<void> {
  for (const many of [1, 2, 5, 48])
    expect(await readHourTotals(queriesOf(database), many)).toEqual(expectedOf(rows, many));
}

async function narrowSlots(database: Database): Promise<void> {
  const width = String(ltPerBlock * BigInt(blocksPerSlot));
  await queriesOf(database).query(SQL`update index_meta set value = ${width} where key = 'lt_grid'`);
}

const upTo = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describeDatabases("The totals of hours", (fresh) => {
  test("are those of the blocks, in whatever batches they came, and after blocks were reverted", async () => {
    const batches = fc.shuffledSubarray(upTo(blocks), { minLength: blocks });
    await fc.assert(
      fc.asyncProperty(batches, fc.integer({ min: 1, max: blocks }), async (order, last) => {
        const database = await fresh();
        await narrowSlots(database);
        // Writers of ranges store their batches at the same time.
        const writers = [0, 1, 2].map((writer) => order.filter((_, at) => at % 3 === writer));
        const stored = writers.map(async (seqnos) => {
          for (let at = 0; at < seqnos.length; at += 4)
            await storeRows(database, { blocks: seqnos.slice(at, at + 4).flatMap(blocksOf) });
        });
        await Promise.all(stored);
        await expectHours(database, order.flatMap(blocksOf));
        await expectWholeDirectories(database);

        const sql = database.sql();
        await sql.transaction((transaction) => deleteAfter(transaction, last, []));
        await expectHours(database, upTo(last).flatMap(blocksOf));
        await expectWholeDirectories(database, { reverted: true });
        const again = upTo(blocks).slice(last);
        await storeRows(database, { blocks: again.flatMap(blocksOf) });
        await expectHours(database, upTo(blocks).flatMap(blocksOf));
      }),
      { numRuns: sized(2, 20) },
    );
  });

  test("stay as they are when slots are merged, also for a revert into the merged slot", async () => {
    const database = await fresh();
    await narrowSlots(database);
    for (const seqno of upTo(blocks)) await storeRows(database, { blocks: blocksOf(seqno) });
    const sql = database.sql();
    const slots = await sql.query<{ from_lt: bigint }>(
      SQL`select from_lt from slots order by from_lt limit 4`,
    );
    const starts = slots.map(({ from_lt }) => from_lt);
    expect(await sql.transaction((transaction) => mergeSlots(transaction, starts))).toBe(true);
    await expectHours(database, upTo(blocks).flatMap(blocksOf));
    const last = 2 * blocksPerSlot + 1;
    await sql.transaction((transaction) => deleteAfter(transaction, last, []));
    await expectHours(database, upTo(last).flatMap(blocksOf));
    await expectWholeDirectories(database, { reverted: true });
  });

  test("are none without blocks, also when all were reverted", async () => {
    const database = await fresh();
    await expectHours(database, []);
    await storeRows(database, { blocks: blocksOf(1) });
    const sql = database.sql();
    await sql.transaction((transaction) => deleteAfter(transaction, 0, []));
    expect(await readHourTotals(queriesOf(database), 48)).toEqual([]);
    expect(await sql.query(SQL`select from block_hours`)).toEqual([]);
  });
});

describePostgres("The totals of hours, of years of them", (fresh) => {
  test("are read without the others", async () => {
    const database = await fresh();
    await queriesOf(database).query(SQL`
      insert into block_hours (utime, n, tx_count, total_fees)
      select hour * 3600, 1, hour, hour from generate_series(1, 50000) hour`);
    await queriesOf(database).query(SQL`vacuum (analyze) block_hours`);
    const sql = new ExplainedSql(database.sql({ connections: 1 }));
    const read = (snapshot: Queries) => readHourTotals(snapshot, 48);
    const explained = await sql.explain(() => sql.transaction(read, { snapshot: true }));
    const found = explained.flatMap(({ plan }) => nodesOf(plan)).filter((node) => "Relation Name" in node);
    expect(found.length).toBeGreaterThan(0);
    // Those of the answer, and the newest one, after which they begin.
    const rows = found.map((node) => node["Actual Rows"] * node["Actual Loops"]);
    expect(rows.reduce((sum, n) => sum + n, 0)).toBe(49);
    expect(buffersOf(explained)).toBeLessThan(12);
  });
});
