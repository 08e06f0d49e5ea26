import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { readMasterchainBlocks } from "../blocks/masterchain-blocks.js";

/** Masterchain blocks that the index does not have between blocks that it has. */
type Gap = { readonly from: number; readonly to: number };

/** Place of a gap in time: behind everything of the block before it, and before the block after it. */
export type PlacedGap = Gap & {
  readonly afterUtime: number;
  readonly afterLt: bigint;
  readonly beforeUtime: number;
  readonly beforeLt: bigint;
};

/** All gaps of an index: how many, how many blocks are missing, and the newest ones, ascending. */
export type Gaps<Each extends Gap = Gap> = {
  readonly count: number;
  readonly blocks: number;
  readonly newest: readonly Each[];
};

/** Of an index without gaps, and of one that is not known yet. */
export const noGaps: Gaps<never> = { count: 0, blocks: 0, newest: [] };

/** Ranges that have blocks, by index_ranges_by_done. */
const filled = SQL`select from_seqno, done_to from index_ranges where done_to >= from_seqno`;
/** Blocks as of which accounts are stored without earlier blocks, if a range begins later. */
const bootstrapped = SQL`
  select distinct mc_seqno as from_seqno, mc_seqno as done_to from bootstrapped_states b
  where done and not exists (select from (${filled}) r where b.mc_seqno between r.from_seqno and r.done_to)
    and mc_seqno < (select max(from_seqno) from (${filled}) r)`;

/**
 * The gaps between ranges that have blocks, whether or not they are planned, and between a block of which only the
 * accounts are stored and the range behind it. At most `listed` of them are named.
 */
export async function readGaps(queries: Queries, listed = 100): Promise<Gaps> {
  const rows = await queries.query<{ from: number; to: number; count: bigint; blocks: bigint }>(SQL`
    select done_to + 1 as "from", next - 1 as "to", count(*) over () as count,
      sum(next - 1 - done_to) over () as blocks
    from (
      select done_to, lead(from_seqno) over (order by from_seqno) as next
      from (${filled} union all ${bootstrapped}) parts) ranges
    where next > done_to + 1 order by done_to desc limit ${listed}`);
  const [first] = rows;
  if (!first) return noGaps;
  return {
    count: Number(first.count),
    blocks: Number(first.blocks),
    newest: rows.map(({ from, to }) => ({ from, to })).reverse(),
  };
}

type Edge = { seqno: number; gen_utime: bigint; start_lt: bigint; end_lt: bigint };

/** Blocks as of which accounts are stored, of which the index may have nothing else. */
function readBootstrappedEdges(queries: Queries, seqnos: readonly number[]): Promise<Edge[]> {
  return queries.query<Edge>(SQL`
    select mc_seqno as seqno, max(gen_utime) as gen_utime, max(end_lt) as start_lt, max(end_lt) as end_lt
    from bootstrapped_states where mc_seqno = any(${seqnos}::integer[]) group by mc_seqno`);
}

/** Adds to each gap where it is in time, by the blocks around it. */
export async function placeGaps(queries: Queries, { newest, ...all }: Gaps): Promise<Gaps<PlacedGap>> {
  const seqnos = [...new Set(newest.flatMap(({ from, to }) => [from - 1, to + 1]))];
  const columns = SQL`b.seqno, b.gen_utime, b.start_lt, b.end_lt`;
  const known = await readBootstrappedEdges(queries, seqnos);
  const stored = await readMasterchainBlocks<Edge>(queries, columns, seqnos);
  const edges = new Map([...known, ...stored].map((edge) => [edge.seqno, edge]));
  const placed = newest.flatMap(({ from, to }) => {
    const [before, after] = [edges.get(from - 1), edges.get(to + 1)];
    if (!before || !after) return [];
    return {
      from,
      to,
      afterUtime: Number(before.gen_utime),
      afterLt: before.end_lt,
      beforeUtime: Number(after.gen_utime),
      beforeLt: after.start_lt,
    };
  });
  return { ...all, newest: placed };
}
