import SQL from "sql-template-tag";
import type { Queries, Sql, Transaction } from "../store/database.js";

/** End of the range at the head of the chain. */
export const noEnd = 0x7fffffff;
const defaultBlocks = 1000;
/** Whoever reads the index hears on this channel of every commit that changed it. */
export const indexChannel = "tonwire_index";
/** A worker that was not heard of for so long has lost its range. */
const silenceSec = 20;

/** A range of masterchain blocks while one worker fills it. */
export type Claim = {
  readonly from: number;
  readonly to: number;
  doneTo: number;
  readonly worker: string;
  /** Changes when somebody else changed traces of the range. */
  readonly epoch: number;
  /** Where the gap-free range begins that this one goes on from. */
  readonly chainFrom: number;
};

/** Somebody else has the range by now, or changed it: what this worker has in memory is out of date. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
}

type ClaimRow = { from_seqno: number; to_seqno: number; done_to: number; epoch: number };

/**
 * Has a range reach to the head of the chain, and everything from `from` on in some range: the one at the head begins
 * behind all that is planned, and what then lies between is planned.
 */
export async function planHead(database: Sql, from: number): Promise<void> {
  const begin = await database.transaction(async (transaction) => {
    await lockRanges(transaction);
    const [head] = await transaction.query<{ from_seqno: number }>(SQL`
      select from_seqno from index_ranges where to_seqno = ${noEnd}`);
    if (head) return head.from_seqno;
    const [made] = await transaction.query<{ from_seqno: number }>(SQL`
      insert into index_ranges (from_seqno, to_seqno, done_to, state)
      select first, ${noEnd}::integer, first - 1, 1
      from (select greatest(${from}::integer, max(to_seqno) + 1) as first from index_ranges) behind
      returning from_seqno`);
    return made!.from_seqno;
  });
  if (from < begin) await planRanges(database, { from, to: begin - 1 });
}

/** Takes the range at the head over; whoever has the lock for it may. */
export async function claimHead(queries: Queries, worker: string): Promise<Claim> {
  const [row] = await queries.query<ClaimRow>(SQL`
    update index_ranges set state = 1, worker = ${worker}, heartbeat = now() where to_seqno = ${noEnd}
    returning from_seqno, to_seqno, done_to, epoch`);
  return claimOf(queries, worker, row!);
}

/** Takes the first range that nobody works on; none: nothing is left to be claimed now. */
export async function claimNext(queries: Queries, worker: string): Promise<Claim | undefined> {
  const [row] = await queries.query<ClaimRow>(SQL`
    update index_ranges set state = 1, worker = ${worker}, heartbeat = now()
    where from_seqno = (
      select from_seqno from index_ranges
      where to_seqno < ${noEnd}
        and (state = 0 or state = 1 and heartbeat < now() - make_interval(secs => ${silenceSec}))
      order by from_seqno limit 1 for update skip locked)
    returning from_seqno, to_seqno, done_to, epoch`);
  return row && claimOf(queries, worker, row);
}

async function claimOf(queries: Queries, worker: string, row: ClaimRow): Promise<Claim> {
  const { from_seqno: from, to_seqno: to, done_to: doneTo, epoch } = row;
  const [chain] = await queries.query<{ from: number }>(SQL`
    select max(from_seqno) as "from" from index_ranges where not joined and from_seqno <= ${from}`);
  return { from, to, doneTo, worker, epoch, chainFrom: chain!.from };
}

/** How much of all ranges that have an end is still to be filled. */
export async function unfilledBlocks(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ blocks: bigint | null }>(SQL`
    select sum(to_seqno - done_to) as blocks from index_ranges where to_seqno < ${noEnd}`);
  return Number(row!.blocks ?? 0n);
}

/** Says that the worker is alive. */
export async function beat(queries: Queries, { from, worker }: Claim): Promise<void> {
  await queries.query(SQL`
    update index_ranges set heartbeat = now() where from_seqno = ${from} and worker = ${worker}`);
}

/** Leaves what the worker has not filled to whoever asks next, who else would have to wait for its silence. */
export async function release(queries: Queries, { from, worker }: Claim): Promise<void> {
  await queries.query(SQL`
    update index_ranges set state = 0 where from_seqno = ${from} and worker = ${worker} and state = 1`);
}

/**
 * Part of the transaction that stores blocks: notes how far the range is filled. Nobody else can do so at the same
 * time, and whoever's claim is no longer good stores nothing.
 */
export async function advance(queries: Queries, claim: Claim, doneTo: number): Promise<void> {
  const rows = await queries.query(SQL`
    update index_ranges
    set done_to = ${doneTo}, heartbeat = now(), state = case when to_seqno = ${doneTo} then 2 else 1 end
    where from_seqno = ${claim.from} and worker = ${claim.worker} and epoch = ${claim.epoch}
      and done_to = ${claim.doneTo} and state = 1
    returning pg_notify(${indexChannel}, '')`);
  if (rows.length === 0)
    throw new ClaimLostError(`the range from ${claim.from} is no longer ${claim.worker}'s`);
}

/** Adds what of `from ..= to` is in no range yet, cut into ranges that can be shared out. */
export async function planRanges(
  database: Sql,
  { from, to, blocks = defaultBlocks }: { from: number; to: number; blocks?: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockRanges(transaction);
    const taken = await transaction.query<{ from_seqno: number; to_seqno: number }>(SQL`
      select from_seqno, to_seqno from index_ranges
      where from_seqno <= ${to} and to_seqno >= ${from} order by from_seqno`);
    let next = from;
    for (const { from_seqno, to_seqno } of [...taken, { from_seqno: to + 1, to_seqno: to }]) {
      const end = from_seqno - 1;
      await transaction.query(SQL`
        insert into index_ranges (from_seqno, to_seqno, done_to, state)
        select n, least(n + ${blocks} - 1, ${end}), n - 1, 0
        from generate_series(${next}::bigint, ${end}::bigint, ${blocks}::bigint) n`);
      next = Math.max(next, to_seqno + 1);
    }
  });
}

/** Others may read ranges, and nobody may change them. */
async function lockRanges(transaction: Transaction): Promise<void> {
  await transaction.query(SQL`lock table index_ranges in share row exclusive mode`);
}
