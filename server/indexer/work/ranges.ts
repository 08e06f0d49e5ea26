import type { Queries, Sql } from "../../store/database.js";
import {
  advanceRange,
  type ClaimRow,
  chainStart,
  claimFirstRange,
  claimHeadRange,
  countUnfilled,
  headStart,
  insertHead,
  insertOpenRanges,
  lockRanges,
  openRange,
  rangesWithin,
  updateHeartbeat,
} from "../../store/queries/upkeep/index-ranges.js";

const defaultBlocks = 1000;
/** A worker without a heartbeat for this long loses its range. */
const silenceSec = 20;

/** A range of masterchain blocks being filled by one worker. */
export type Claim = {
  readonly from: number;
  readonly to: number;
  doneTo: number;
  readonly worker: string;
  /** Raised by each claim, and when another worker changed traces of the range. */
  readonly epoch: number;
  /** Beginning of the gap-free run of joined ranges that this one continues. */
  readonly chainFrom: number;
};

/** Another process has claimed the range, changed its traces or merged slots: the state in memory is stale. */
export class ClaimLostError extends Error {
  override readonly name = "ClaimLostError";
}

/**
 * Ensures that there is a range at the head and that ranges cover all blocks from `from` on. A new range at the head
 * begins after all others; blocks between `from` and it are planned as bounded ranges.
 */
export async function planHead(database: Sql, from: number): Promise<void> {
  const begin = await database.transaction(async (transaction) => {
    await lockRanges(transaction);
    return (await headStart(transaction)) ?? insertHead(transaction, from);
  });
  if (from < begin) await planRanges(database, { from, to: begin - 1 });
}

/** Claims the range at the head. The caller must hold the head lock. */
export async function claimHead(queries: Queries, worker: string): Promise<Claim> {
  return claimOf(queries, worker, (await claimHeadRange(queries, worker))!);
}

/** Claims the first bounded range without a live worker; `undefined` if there is none now. */
export async function claimNext(queries: Queries, worker: string): Promise<Claim | undefined> {
  const row = await claimFirstRange(queries, worker, silenceSec);
  return row && claimOf(queries, worker, row);
}

async function claimOf(queries: Queries, worker: string, row: ClaimRow): Promise<Claim> {
  const { from_seqno: from, to_seqno: to, done_to: doneTo, epoch } = row;
  return { from, to, doneTo, worker, epoch, chainFrom: await chainStart(queries, from) };
}

/** Number of blocks in bounded ranges that are not stored yet. */
export function unfilledBlocks(queries: Queries): Promise<number> {
  return countUnfilled(queries);
}

/** Sends the worker's heartbeat. */
export function beat(queries: Queries, { from, worker }: Claim): Promise<void> {
  return updateHeartbeat(queries, from, worker);
}

/** Releases the rest of a range, so that the next worker need not wait for the heartbeat to time out. */
export function release(queries: Queries, { from, worker }: Claim): Promise<void> {
  return openRange(queries, from, worker);
}

/**
 * Updates a range's progress in the transaction that stores the blocks. The row stays locked until commit. Throws
 * `ClaimLostError` if the claim is no longer valid, so that nothing is stored.
 */
export async function advance(queries: Queries, claim: Claim, doneTo: number): Promise<void> {
  if (!(await advanceRange(queries, claim, doneTo)))
    throw new ClaimLostError(`the range from ${claim.from} is no longer ${claim.worker}'s`);
}

/** Adds ranges of `blocks` blocks for the parts of `from ..= to` that are in no range yet. */
export async function planRanges(
  database: Sql,
  { from, to, blocks = defaultBlocks }: { from: number; to: number; blocks?: number },
): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockRanges(transaction);
    const taken = await rangesWithin(transaction, from, to);
    let next = from;
    for (const { from_seqno, to_seqno } of [...taken, { from_seqno: to + 1, to_seqno: to }]) {
      await insertOpenRanges(transaction, { from: next, to: from_seqno - 1, blocks });
      next = Math.max(next, to_seqno + 1);
    }
  });
}
