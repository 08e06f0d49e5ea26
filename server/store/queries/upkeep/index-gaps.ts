import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { readMasterchainBlocks } from "../blocks/masterchain-blocks.js";

/** Masterchain blocks that the index does not have between blocks that it has. */
export type Gap = { readonly from: number; readonly to: number };

/** Where a gap is in time: it lies behind everything of the block before it, and before the block after it. */
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

export const noGaps: Gaps<never> = { count: 0, blocks: 0, newest: [] };

/**
 * The gaps between ranges that have blocks, whether or not they are planned, by index_ranges_by_done. At most `listed` of them
 * are named.
 */
export async function readGaps(queries: Queries, listed = 100): Promise<Gaps> {
  const rows = await queries.query<{ from: number; to: number; count: bigint; blocks: bigint }>(SQL`
    select done_to + 1 as "from", next - 1 as "to", count(*) over () as count,
      sum(next - 1 - done_to) over () as blocks
    from (
      select done_to, lead(from_seqno) over (order by from_seqno) as next
      from index_ranges where done_to >= from_seqno) ranges
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

/** Adds to each gap where it is in time, by the blocks around it. */
export async function placeGaps(queries: Queries, { newest, ...all }: Gaps): Promise<Gaps<PlacedGap>> {
  const seqnos = [...new Set(newest.flatMap(({ from, to }) => [from - 1, to + 1]))];
  const columns = SQL`b.seqno, b.gen_utime, b.start_lt, b.end_lt`;
  const edges = new Map(
    (await readMasterchainBlocks<Edge>(queries, columns, seqnos)).map((edge) => [edge.seqno, edge]),
  );
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
