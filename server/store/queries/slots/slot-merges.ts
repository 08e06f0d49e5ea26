import SQL, { raw } from "sql-template-tag";
import { itemAt, memberOf } from "../../../../shared/values/lookups.js";
import type { Queries, Transaction } from "../../database.js";
import type { Table } from "../../declare/table.js";
import { onConflict } from "../../sql/merge.js";
import type { Fragment } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";
import { holdSchema } from "../cluster/divided-clauses.js";
import { raiseIndexVersion } from "../upkeep/index-version.js";
import type { Slot } from "./slots.js";

type MergeableSlot = Pick<Slot, "from_lt" | "to_lt" | "first_mc_seqno" | "last_mc_seqno"> & {
  merged: boolean;
};

/** A run of masterchain blocks that are stored without a gap. */
type Chain = { from: number; to: number };

/** How many slots become one. */
const groupSize = 4;
/** The newest slots are left alone. */
export const hotSlots = 4;

/** Directories that name slots, and the columns by which they do. */
const directories = Object.values<Table>(tables).flatMap((table) =>
  table.slotColumn === undefined ? [] : [{ table, slot: table.slotColumn }],
);

/** The starts of the first slots that can be merged, ascending: neighbours whose blocks are all stored. */
export async function nextToMerge(queries: Queries): Promise<bigint[] | undefined> {
  const slots = await queries.query<MergeableSlot>(SQL`
    select from_lt, to_lt, first_mc_seqno, last_mc_seqno, merged from slots order by from_lt`);
  const chains = await storedChains(queries);
  const old = slots.slice(0, -hotSlots);
  for (let at = 0; at + groupSize <= old.length; at++) {
    const group = old.slice(at, at + groupSize);
    if (areNeighbours(group) && chains.some((chain) => isWithin(group, chain)))
      return group.map(({ from_lt }) => from_lt);
  }
  return undefined;
}

async function storedChains(queries: Queries): Promise<Chain[]> {
  return queries.query<Chain>(SQL`
    select min(from_seqno) as "from", max(done_to) as "to"
    from (
      select from_seqno, done_to, count(*) filter (where not joined) over (order by from_seqno) as chain
      from index_ranges where done_to >= from_seqno) parts
    group by chain`);
}

function areNeighbours(group: readonly MergeableSlot[]): boolean {
  return group.every(
    ({ from_lt, merged }, i) => !merged && (i === 0 || itemAt(group, i - 1).to_lt === from_lt),
  );
}

/** A later block shows that the last slot is complete. */
function isWithin(group: readonly MergeableSlot[], { from, to }: Chain): boolean {
  return group.every(
    ({ first_mc_seqno: first, last_mc_seqno: last }) =>
      first !== null && last !== null && from <= first && last < to,
  );
}

/**
 * Makes one slot of neighbours, given by their starts, with the rows of directories that name them. Their partitions stay.
 * Returns false if they are not as they were. Waits for writers that hold the slots.
 */
export async function mergeSlots(transaction: Transaction, starts: readonly bigint[]): Promise<boolean> {
  const isDivided = await transaction.isDivided();
  if (isDivided) await holdSchema(transaction);
  const first = itemAt(starts, 0);
  const others = starts.slice(1);
  const held = await transaction.query<MergeableSlot>(SQL`
    select from_lt, to_lt, first_mc_seqno, last_mc_seqno, merged from slots
    where from_lt between ${first} and ${starts.at(-1)} order by from_lt for update`);
  if (held.length !== starts.length || !areNeighbours(held)) return false;
  for (const { table, slot } of directories)
    await transaction.write(mergeRows(table, slot, { first, others }));
  await transaction.query(SQL`
    with gone as (delete from slots where from_lt = any(${others}::bigint[]) returning *)
    update slots s
    set to_lt = o.to_lt, merged = true,
      first_lt = least(s.first_lt, o.first_lt), last_lt = greatest(s.last_lt, o.last_lt),
      first_utime = least(s.first_utime, o.first_utime), last_utime = greatest(s.last_utime, o.last_utime),
      first_mc_seqno = least(s.first_mc_seqno, o.first_mc_seqno),
      last_mc_seqno = greatest(s.last_mc_seqno, o.last_mc_seqno)
    from (
      select max(to_lt) as to_lt, min(first_lt) as first_lt, max(last_lt) as last_lt,
        min(first_utime) as first_utime, max(last_utime) as last_utime,
        min(first_mc_seqno) as first_mc_seqno, max(last_mc_seqno) as last_mc_seqno
      from gone) o
    where s.from_lt = ${first}`);
  // On one server a reader sees all of this or nothing.
  if (isDivided) await raiseIndexVersion(transaction);
  return true;
}

function mergeRows(
  table: Table,
  slot: string,
  { first, others }: { first: bigint; others: readonly bigint[] },
): Fragment[] {
  const columns = Object.keys(table.columns);
  const keys = table.key.filter((column) => column !== slot).join(", ");
  const values = columns.map((column) =>
    column === slot ? SQL`${first}::bigint` : raw(mergedValue(table, column)),
  );
  const [value, ...more] = values;
  const rows = SQL`from ${raw(table.name)} where ${raw(slot)} = any(${others}::bigint[])`;
  return [
    SQL`
      insert into ${raw(table.name)} as stored (${raw(columns.join(", "))})
      select ${more.reduce((list, each) => SQL`${list}, ${each}`, SQL`${value}`)}
      ${rows} group by ${raw(keys)} order by ${raw(keys)} ${raw(onConflict(table, table.merge!))}`,
    SQL`delete ${rows}`,
  ];
}

/** The value of a column for several rows that become one. */
function mergedValue({ columns, merge }: Table, column: string): string {
  if (typeof merge !== "object") return column;
  if ("add" in merge && merge.add.includes(column))
    return `sum(${column})::${memberOf(columns, column).sqlType}`;
  if ("widen" in merge && column === merge.widen.from) return `min(${column})`;
  if ("widen" in merge && column === merge.widen.to) return `max(${column})`;
  return column;
}
