import SQL, { empty } from "sql-template-tag";
import type { Queries } from "../../database.js";

type UsageRow = {
  readonly key: string;
  readonly calls: number;
  readonly points: number;
  readonly refused: number;
};
/** Days, both included, of one key or of all. */
type UsageRange = { readonly from: string; readonly to: string; readonly key?: string | undefined };
type CountedRow = { key: string; day: string; calls: bigint; points: bigint; refused: bigint };
type TotalRow = Pick<CountedRow, "key" | "calls" | "points">;

/** Adds to the day. Rows in one order, as other processes write the same ones. */
export async function addUsage(queries: Queries, day: string, rows: readonly UsageRow[]): Promise<void> {
  const texts = (read: (row: UsageRow) => string | number) => rows.map((row) => String(read(row)));
  await queries.query(SQL`
    insert into tonwire_kept.key_usage as kept (key_id, day, calls, points, refused)
    select key_id, ${day}::text::date, calls::bigint, points::bigint, refused::bigint
    from unnest(${texts(({ key }) => key)}::text[], ${texts(({ calls }) => calls)}::text[],
      ${texts(({ points }) => points)}::text[], ${texts(({ refused }) => refused)}::text[])
      added(key_id, calls, points, refused)
    on conflict (key_id, day) do update set
      calls = kept.calls + excluded.calls, points = kept.points + excluded.points,
      refused = kept.refused + excluded.refused`);
}

/** Removes the days before one. */
export async function removeUsageBefore(queries: Queries, day: string): Promise<void> {
  await queries.query(SQL`delete from tonwire_kept.key_usage where day < ${day}::text::date`);
}

/** The sums of a month, of the named keys or of all. */
export function readMonthUsage(
  queries: Queries,
  month: string,
  keys: readonly string[] | undefined,
): Promise<TotalRow[]> {
  const first = SQL`${`${month}-01`}::text::date`;
  const named = keys ? SQL`and key_id = any(${[...keys]}::text[])` : empty;
  return queries.query(SQL`
    select key_id as key, sum(calls)::bigint as calls, sum(points)::bigint as points
    from tonwire_kept.key_usage
    where day >= ${first} and day < ${first} + interval '1 month' ${named}
    group by key_id`);
}

/** The earliest day first, its keys in the order of their names. */
export function readUsageRows(queries: Queries, range: UsageRange, limit: number): Promise<CountedRow[]> {
  const { from, to, key } = range;
  const named = key === undefined ? empty : SQL`and key_id = ${key}`;
  return queries.query(SQL`
    select key_id as key, day::text as day, calls, points, refused
    from tonwire_kept.key_usage
    where day between ${from}::text::date and ${to}::text::date ${named}
    order by key_usage.day, key_id collate "C" limit ${limit}`);
}
