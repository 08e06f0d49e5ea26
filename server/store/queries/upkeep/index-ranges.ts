import SQL from "sql-template-tag";
import { rangeStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";
import { code, type Fragment } from "../../sql/where.js";
import { blockTime } from "../blocks/masterchain-blocks.js";

/** `to_seqno` of the range at the head of the chain, which has no end. */
export const noEnd = 0x7fffffff;
const open = code(rangeStates, "open");
const claimed = code(rangeStates, "claimed");
const stored = code(rangeStates, "stored");

/** A range of masterchain blocks as its worker needs it. */
export type ClaimRow = { from_seqno: number; to_seqno: number; done_to: number; epoch: number };

/** Until the end of the transaction others can read ranges, but not change them. */
export async function lockRanges(transaction: Transaction): Promise<void> {
  await transaction.query(SQL`lock table index_ranges in share row exclusive mode`);
}

/** A range without its worker. */
export type RangeOfIndex = { from: number; to: number; doneTo: number; joined: boolean };

/** All ranges, ascending. */
export function readAllRanges(queries: Queries): Promise<RangeOfIndex[]> {
  return queries.query(SQL`
    select from_seqno as "from", to_seqno as "to", done_to as "doneTo", joined from index_ranges order by 1`);
}

/** Adds ranges whose blocks up to `doneTo` are stored. Their other blocks wait for a worker. */
export async function insertRanges(queries: Queries, ranges: readonly RangeOfIndex[]): Promise<void> {
  await queries.query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, joined, state)
    select "from", "to", "doneTo", joined,
      case when "to" = "doneTo" then ${stored} when "to" = ${noEnd}::integer then ${claimed} else ${open} end
    from jsonb_to_recordset(${JSON.stringify(ranges)}::jsonb)
      as ranges("from" integer, "to" integer, "doneTo" integer, joined boolean)`);
}

/** The first block of the range at the head. */
export async function headStart(queries: Queries): Promise<number | undefined> {
  const [head] = await queries.query<{ from_seqno: number }>(SQL`
    select from_seqno from index_ranges where to_seqno = ${noEnd}`);
  return head?.from_seqno;
}

/** Adds the range at the head, from `from` on or behind all ranges. Returns its first block. */
export async function insertHead(queries: Queries, from: number): Promise<number> {
  const made = await oneRow<{ from_seqno: number }>(
    queries,
    SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state)
    select first, ${noEnd}::integer, first - 1, ${claimed}
    from (select greatest(${from}::integer, max(to_seqno) + 1) as first from index_ranges) behind
    returning from_seqno`,
  );
  return made.from_seqno;
}

/** The ranges that overlap `from ..= to`, ascending. */
export function rangesWithin(
  queries: Queries,
  from: number,
  to: number,
): Promise<{ from_seqno: number; to_seqno: number }[]> {
  return queries.query(SQL`
    select from_seqno, to_seqno from index_ranges
    where from_seqno <= ${to} and to_seqno >= ${from} order by from_seqno`);
}

/** Adds open ranges of `blocks` blocks that cover `from ..= to`; none if that is empty. */
export async function insertOpenRanges(
  queries: Queries,
  { from, to, blocks }: { from: number; to: number; blocks: number },
): Promise<void> {
  await queries.query(SQL`
    insert into index_ranges (from_seqno, to_seqno, done_to, state)
    select n, least(n + ${blocks} - 1, ${to}), n - 1, ${open}
    from generate_series(${from}::bigint, ${to}::bigint, ${blocks}::bigint) n`);
}

/** Claims the range without an end, also from another worker: the caller holds the lock of the head. */
export async function claimHeadRange(queries: Queries, worker: string): Promise<ClaimRow | undefined> {
  const [row] = await queries.query<ClaimRow>(SQL`
    update index_ranges set ${byWorker(worker)} where to_seqno = ${noEnd} returning ${claimColumns}`);
  return row;
}

/** Claims the first range with an end that is open, or whose worker sent no heartbeat for `silenceSec`. */
export async function claimFirstRange(
  queries: Queries,
  worker: string,
  silenceSec: number,
): Promise<ClaimRow | undefined> {
  const [row] = await queries.query<ClaimRow>(SQL`
    update index_ranges set ${byWorker(worker)}
    where from_seqno = (
      select from_seqno from index_ranges
      where to_seqno < ${noEnd} and (state = ${open}
        or state = ${claimed} and heartbeat < now() - make_interval(secs => ${silenceSec}))
      order by from_seqno limit 1 for update skip locked)
    returning ${claimColumns}`);
  return row;
}

/** A new epoch, so that nothing is stored by an earlier claim, also of this worker. */
function byWorker(worker: string): Fragment {
  return SQL`state = ${claimed}, worker = ${worker}, heartbeat = now(), epoch = epoch + 1`;
}

const claimColumns = SQL`from_seqno, to_seqno, done_to, epoch`;

/** Start of the range from `from`, or of the stored one that it is joined with. */
export async function chainStart(queries: Queries, from: number): Promise<number> {
  const chain = await oneRow<{ from: number }>(
    queries,
    SQL`
    select max(from_seqno) as "from" from index_ranges where not joined and from_seqno <= ${from}`,
  );
  return chain.from;
}

/** Starts of the runs of joined ranges that have blocks, ascending: index_ranges_by_done. */
export async function readChainStarts(queries: Queries): Promise<number[]> {
  const rows = await queries.query<{ from_seqno: number }>(SQL`
    select from_seqno from index_ranges where not joined and done_to >= from_seqno order by from_seqno`);
  return rows.map(({ from_seqno }) => from_seqno);
}

/** How many blocks of all ranges with an end are not stored yet. */
export async function countUnfilled(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ blocks: bigint | null }>(SQL`
    select sum(to_seqno - done_to) as blocks from index_ranges where to_seqno < ${noEnd}`);
  return Number(row!.blocks ?? 0n);
}

/** Keeps the claim of a worker on the range that begins at `from`; nothing if another one has it. */
export async function updateHeartbeat(queries: Queries, from: number, worker: string): Promise<void> {
  await queries.query(SQL`
    update index_ranges set heartbeat = now() where from_seqno = ${from} and worker = ${worker}`);
}

/** Opens a range again that the worker has claimed. */
export async function openRange(queries: Queries, from: number, worker: string): Promise<void> {
  await queries.query(SQL`
    update index_ranges set state = ${open}
    where from_seqno = ${from} and worker = ${worker} and state = ${claimed}`);
}

type HeldRange = { from: number; worker: string; epoch: number; doneTo: number };

/** Sets how far a range is stored. False if the range is no longer as the worker knows it. */
export async function advanceRange(queries: Queries, held: HeldRange, doneTo: number): Promise<boolean> {
  const rows = await queries.query(SQL`
    update index_ranges
    set done_to = ${doneTo}, heartbeat = now(),
      state = case when to_seqno = ${doneTo} then ${stored} else ${claimed} end
    where from_seqno = ${held.from} and worker = ${held.worker} and epoch = ${held.epoch}
      and done_to = ${held.doneTo} and state = ${claimed}
    returning from_seqno`);
  return rows.length > 0;
}

/** End of a stored range right before another one; the blocks before it, and those behind it with a joined head. */
export type Boundary = { from: number; chain_from: number; chain_to: number };

/** The first boundary between a stored range and one that is stored too, or that is at the head. */
export async function firstBoundary(queries: Queries): Promise<Boundary | undefined> {
  const [boundary] = await queries.query<Boundary>(SQL`
    select r.from_seqno as "from",
      (select max(from_seqno) from index_ranges where not joined and from_seqno < r.from_seqno) as chain_from,
      coalesce(
        (select min(from_seqno) - 1 from index_ranges where not joined and from_seqno > r.from_seqno),
        ${noEnd}::integer) as chain_to
    from index_ranges r join index_ranges l on l.to_seqno = r.from_seqno - 1
    where not r.joined and l.state = ${stored} and (r.state = ${stored} or r.to_seqno = ${noEnd})
    order by r.from_seqno limit 1`);
  return boundary;
}

/** Invalidates the claim of the range at the head if it begins in `from ..= to`. */
export async function raiseHeadEpoch(queries: Queries, from: number, to: number): Promise<void> {
  await queries.query(SQL`
    update index_ranges set epoch = epoch + 1
    where to_seqno = ${noEnd} and from_seqno between ${from} and ${to}`);
}

/**
 * Makes a range part of the stored one before it. The range at the head stays, as its worker knows it by its
 * first block; it is marked as joined.
 */
export async function mergeRange(queries: Queries, from: number): Promise<void> {
  await queries.query(SQL`
    with merged as (
      delete from index_ranges where from_seqno = ${from} and to_seqno < ${noEnd} returning to_seqno, done_to)
    update index_ranges r
    set to_seqno = merged.to_seqno, done_to = merged.done_to
    from merged where r.to_seqno = ${from} - 1`);
  await queries.query(SQL`update index_ranges set joined = true where from_seqno = ${from}`);
}

/** How far the index is. */
export type IndexPosition = {
  /** The first and the newest block that are stored without a gap between them, and the time of the newest. */
  first: number | null;
  last: number | null;
  gen_utime: bigint | null;
  /** Blocks of all ranges with an end, and those that are missing. */
  blocks: bigint | null;
  missing: bigint | null;
};

/** Members are null where nothing is stored. */
export async function readPosition(queries: Queries): Promise<IndexPosition> {
  const [row] = await queries.query<Omit<IndexPosition, "gen_utime">>(SQL`
    select r.first, r.last, p.blocks, p.missing
    from (
      select sum(to_seqno::bigint - from_seqno + 1)::bigint as blocks, sum(to_seqno - done_to)::bigint as missing
      from index_ranges where to_seqno < ${noEnd}) p
    left join indexed_range r on true`);
  const { last, ...progress } = row!;
  const gen_utime = last === null ? undefined : await blockTime(queries, last);
  return { ...progress, last, gen_utime: gen_utime ?? null };
}
