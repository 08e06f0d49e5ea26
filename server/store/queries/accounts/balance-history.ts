import SQL, { raw } from "sql-template-tag";
import { accountStatuses } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { code, type Fragment, keyLists, plannedOnce, type TimeBounds } from "../../sql/where.js";
import { isInEarlierBlock, ofShardOf } from "../cluster/divided-clauses.js";
import {
  type AccountPart,
  lastOfAccount,
  ofAccountIn,
  partRows,
  partsOfAccount,
  spanOf,
} from "../transactions/account-window.js";

/** Place of an account's transaction. */
export type BalanceMoment = {
  lt: bigint;
  now: bigint;
  block_workchain: number;
  block_shard: bigint;
  block_seqno: number;
  mc_block_seqno: number;
};

/** The balance that the last transaction of a period left. */
export type BalancePoint = BalanceMoment & { balance: bigint };

export const momentColumns = [
  "lt",
  "now",
  "block_workchain",
  "block_shard",
  "block_seqno",
  "mc_block_seqno",
] as const;

export type Interval = "block" | "day";
const secondsOfDay = 86_400;

/**
 * Balances of an account at the end of each block or day in which it has transactions, the newest first. Each is searched from the
 * one before, so that the others of a period are not read: transactions_by_account with the blocks' primary key, or
 * transactions_by_account_time.
 */
export async function readBalances(
  queries: Queries,
  account: Uint8Array,
  { interval, rows, ...bounds }: TimeBounds & { interval: Interval; rows: number },
): Promise<BalancePoint[]> {
  const found = await readPoints(queries, account, { ...bounds, interval, rows: rows + 1 });
  const [newest, ...earlier] = found;
  if (!newest || isKnown(newest)) return found.slice(0, rows).filter(isKnown);
  // The last block before that one may end the newest day instead; all earlier points stay.
  const [, before] = await readPoints(queries, account, { ...bounds, interval: "block", rows: 2 });
  const isOfNewest = before !== undefined && periodOf(before, interval) === periodOf(newest, interval);
  return [...(isOfNewest ? [before] : []), ...earlier].slice(0, rows).filter(isKnown);
}

/** Only the last state of a block is stored: where bounds end inside a block, the balance of the newest point is not known. */
type MaybePoint = BalanceMoment & { balance: bigint | null };

function isKnown(point: MaybePoint): point is BalancePoint {
  return point.balance !== null;
}

async function readPoints(
  queries: Queries,
  account: Uint8Array,
  { interval, rows, ...bounds }: TimeBounds & { interval: Interval; rows: number },
): Promise<MaybePoint[]> {
  let parts = await partsOfAccount(queries, account, bounds);
  const points = new Map<string, MaybePoint>();
  // A slot may have one period or many, so more slots are searched each time.
  for (let count = 1; parts.length > 0 && points.size < rows; count *= 2) {
    const searched = parts.slice(0, count);
    parts = parts.slice(count);
    // A period that two slots have a part of is found in both.
    const wanted = rows - points.size + searched.length;
    for (const point of await pointsIn(queries, searched, { account, interval, bounds, rows: wanted })) {
      const period = periodOf(point, interval);
      if (!points.has(period)) points.set(period, point);
    }
    if (interval === "day") parts = parts.filter((part) => !isInKnownDay(part, points));
  }
  return [...points.values()].slice(0, rows);
}

/** Whether all of a slot is in a day whose last transaction is found. */
function isInKnownDay(
  { first_utime, last_utime }: AccountPart,
  points: ReadonlyMap<string, unknown>,
): boolean {
  if (first_utime === null || last_utime === null) return false;
  const day = String(dayOf(first_utime));
  return day === String(dayOf(last_utime)) && points.has(day);
}

const dayOf = (utime: bigint) => utime / BigInt(secondsOfDay);

/** Names the block or day of a moment. */
export function periodOf(moment: BalanceMoment, interval: Interval): string {
  const { now, block_workchain, block_shard, block_seqno } = moment;
  return interval === "day" ? String(dayOf(now)) : `${block_workchain} ${block_shard} ${block_seqno}`;
}

type Search = { account: Uint8Array; interval: Interval; bounds: TimeBounds; rows: number };

async function pointsIn(
  queries: Queries,
  parts: readonly AccountPart[],
  { account, interval, bounds, rows }: Search,
): Promise<MaybePoint[]> {
  const ofShard = await ofShardOf(queries, account);
  const { from, to } = spanOf(parts);
  const isWanted = ofAccountIn(parts, account, bounds);
  // Whether a transaction is in a period before that of row `w`.
  const isEarlier =
    interval === "day"
      ? SQL`lt <= ${lastOfAccount(parts, account, SQL`now < w.now - w.now % ${secondsOfDay}::bigint`)}`
      : await isInEarlierBlock(queries);
  const columns = raw([...momentColumns, "account_state_hash_after", "end_status"].join(", "));
  const absent = code(accountStatuses, "nonexist");
  // The state of an account that does not exist has no row.
  return queries.query<MaybePoint>({
    ...plannedOnce(SQL`
      select ${raw(momentColumns.map((name) => `p.${name}`).join(", "))}, case when p.end_status = ${absent} then 0 else s.balance end as balance
      from (
        select walk.* from ${partsInOrder(parts)} cross join lateral (
          with recursive walk as (
            (select ${columns} from transactions where ${isWanted} order by lt desc limit 1)
            union all
            select found.* from walk w cross join lateral (
              select ${columns} from transactions where ${isWanted} and ${isEarlier}
              order by lt desc limit 1) found)
          select * from walk) walk
        order by part.place limit ${rows}) p
      left join lateral (
        select balance from account_states
        where account_key = account_key(${account}) ${ofShard} and lt = p.lt and ${isHash("hash", raw("p.account_state_hash_after"))}
          and lt between ${from} and ${to} offset 0) s on true
      order by p.lt desc`),
    isInOrder: true,
  });
}

/** Rows `part` in the order of their places: executors walk over no more parts than have the page. */
function partsInOrder(parts: readonly AccountPart[]): Fragment {
  const columns = keyLists(parts, { slot: "bigint", from: "bigint", to: "bigint" });
  return SQL`${columns} with ordinality part(slot, from_lt, to_lt, place)`;
}

/** The balance of an account after its transactions up to a time; `undefined` if the index does not have it. */
export async function balanceAt(
  queries: Queries,
  account: Uint8Array,
  until: Pick<TimeBounds, "end_utime" | "end_lt">,
): Promise<bigint | undefined> {
  const [point] = await readPoints(queries, account, { ...until, interval: "block", rows: 1 });
  return point ? (point.balance ?? undefined) : balanceBefore(queries, account);
}

/** The balance before the first stored transaction; without one, that of the latest state. */
async function balanceBefore(queries: Queries, account: Uint8Array): Promise<bigint | undefined> {
  const parts = (await partsOfAccount(queries, account, {})).slice(-1);
  if (parts.length === 0) {
    const [latest] = await queries.query<{ balance: bigint }>(
      plannedOnce(SQL`select balance from latest_account_states where account = ${account}`),
    );
    return latest?.balance ?? 0n;
  }
  const { to } = spanOf(parts);
  const ofShard = await ofShardOf(queries, account);
  const [first] = await queries.query<{ balance: bigint | null }>({
    ...plannedOnce(SQL`
      select case when t.orig_status = ${code(accountStatuses, "nonexist")} then 0 else s.balance end as balance
      from (
        select found.* from ${partRows(parts)} cross join lateral (
          select * from transactions where ${ofAccountIn(parts, account, {})} order by lt limit 1) found) t
      left join lateral (
        select balance from account_states
        where account_key = account_key(${account}) ${ofShard} and lt = t.prev_trans_lt
          and ${isHash("hash", raw("t.account_state_hash_before"))} and lt <= ${to} offset 0) s on true`),
    isInOrder: true,
  });
  return first?.balance ?? undefined;
}
