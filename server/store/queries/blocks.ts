import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import { type BlockRecord, blockRecord } from "../tables/blocks.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  given,
  ordered,
  type Page,
  paged,
  type TimeBounds,
  within,
} from "../where.js";
import type { OffsetBookmarks, OrderedList } from "./offset-bookmarks.js";
import { selectRecords } from "./rows.js";
import type { ShardName } from "./slots.js";

/** Members are named like the parameters of the methods. */
export type BlockFilter = TimeBounds & {
  workchain?: number | undefined;
  shard?: bigint | undefined;
  seqno?: number | undefined;
  root_hash?: Uint8Array | undefined;
  file_hash?: Uint8Array | undefined;
  mc_seqno?: number | undefined;
};

type BlockKey = { gen_utime: bigint; workchain: number; shard: bigint; seqno: number };

/** One page of blocks. */
export async function listBlocks(
  queries: Queries,
  filter: BlockFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
): Promise<BlockRecord[]> {
  const keys = await bookmarks.read(queries, blockList(filter, sort), page);
  if (keys.length === 0) return [];
  const column = <Name extends keyof BlockKey>(name: Name) => keys.map((key) => key[name]);
  return select(
    queries,
    SQL`unnest(${column("workchain")}::integer[], ${column("shard")}::bigint[], ${column("seqno")}::integer[])
        with ordinality page(workchain, shard, seqno, place)
      join blocks b on b.workchain = page.workchain and b.shard = page.shard and b.seqno = page.seqno
      order by page.place`,
  );
}

/** The matching blocks, by blocks_by_time or by the index of the given filter. */
function blockList(filter: BlockFilter, sort: Direction): OrderedList<BlockKey> {
  const columns = ["gen_utime", "(-workchain)", "shard", "seqno"];
  const beside = (side: "behind" | "upTo", { gen_utime, workchain, shard, seqno }: BlockKey) =>
    compared(sort, side, columns, [gen_utime, -workchain, shard, seqno]);
  const conditions = conditionsOf(filter);
  return {
    keys: (page, after) => SQL`select gen_utime, workchain, shard, seqno from blocks
      where ${all(
        conditions,
        given(after, (key) => beside("behind", key)),
      )}
      order by ${ordered(sort, ...columns)} ${paged(page)}`,
    countLater: (seqno, upTo) => SQL`select count(*) from blocks
      where ${all(conditions, SQL`mc_block_seqno > ${seqno}`, beside("upTo", upTo))}`,
  };
}

function conditionsOf(filter: BlockFilter): Fragment {
  return all(
    given(filter.workchain, (value) => SQL`workchain = ${value}`),
    given(filter.shard, (value) => SQL`shard = ${value}`),
    given(filter.seqno, (value) => SQL`seqno = ${value}`),
    given(filter.root_hash, (value) => SQL`root_hash = ${value}`),
    given(filter.file_hash, (value) => SQL`file_hash = ${value}`),
    given(filter.mc_seqno, (value) => SQL`mc_block_seqno = ${value}`),
    within("gen_utime", filter.start_utime, filter.end_utime),
    within("start_lt", filter.start_lt, filter.end_lt),
  );
}

/** A block, and the lt of its transactions. */
export type BlockSpan = { workchain: number; shard: bigint; seqno: number; start_lt: bigint; end_lt: bigint };

/** The blocks of a seqno, or those of a masterchain block: blocks_by_seqno, blocks_by_masterchain. */
export function blockSpans(
  queries: Queries,
  filter: Pick<BlockFilter, "workchain" | "shard" | "seqno" | "mc_seqno">,
): Promise<BlockSpan[]> {
  return queries.query<BlockSpan>(SQL`
    select workchain, shard, seqno, start_lt, end_lt from blocks where ${conditionsOf(filter)}`);
}

/**
 * The shards that a filter names, of a workchain or of all; those without transactions are left out. `undefined` if it
 * names none, or all of a workchain with transactions. By the primary key of shard_slots.
 */
export async function shardsNamed(
  queries: Queries,
  filter: { workchain?: number | undefined; shard?: bigint | undefined },
): Promise<ShardName[] | undefined> {
  const names = await shardNames(queries, filter);
  return (
    names &&
    queries.query<ShardName>(SQL`
      select wanted.workchain, wanted.shard
      from unnest(${names.map(({ workchain }) => workchain)}::integer[], ${names.map(({ shard }) => shard)}::bigint[])
        wanted(workchain, shard)
      cross join lateral (
        select from shard_slots s where s.workchain = wanted.workchain and s.shard = wanted.shard limit 1) known`)
  );
}

async function shardNames(
  queries: Queries,
  { workchain, shard }: { workchain?: number | undefined; shard?: bigint | undefined },
): Promise<ShardName[] | undefined> {
  if (workchain === undefined && shard === undefined) return undefined;
  if (workchain !== undefined && shard !== undefined) return [{ workchain, shard }];
  if (workchain === masterchain) return [{ workchain, shard: wholeShard }];
  // Skips from one workchain to the next.
  const known = await queries.query<{ workchain: number }>(SQL`
    with recursive known as (
      (select workchain from shard_slots order by workchain limit 1)
      union all
      select (
        select s.workchain from shard_slots s where s.workchain > known.workchain order by s.workchain limit 1)
      from known where known.workchain is not null)
    select workchain from known where workchain is not null`);
  if (shard !== undefined) return known.map((each) => ({ workchain: each.workchain, shard }));
  return known.some((each) => each.workchain === workchain) ? undefined : [];
}

const masterchain = -1;
const wholeShard = -(2n ** 63n);

/** The newest block of every shard as of a masterchain block: primary keys of shard_state and blocks. */
export async function shardHeads(queries: Queries, mcSeqno: number): Promise<BlockRecord[]> {
  return select(
    queries,
    SQL`shard_state s
      join blocks b on b.workchain = s.workchain and b.shard = s.shard and b.seqno = s.seqno
      where s.mc_seqno = ${mcSeqno}
      order by b.workchain, b.shard, b.seqno`,
  );
}

/** First and last block of the gap-free range with the newest block: blocks_of_masterchain. */
export async function indexedEnds(
  queries: Queries,
): Promise<{ first: BlockRecord; last: BlockRecord } | undefined> {
  const ends = await select(
    queries,
    SQL`indexed_range r
      join blocks b on b.workchain = -1 and b.seqno in (r.first, r.last)
      order by b.seqno`,
  );
  const [first] = ends;
  const last = ends.at(-1);
  return first && last && { first, last };
}

/** Unix time of the newest masterchain block; 0 if there is none. blocks_of_masterchain. */
export async function newestBlockTime(queries: Queries): Promise<bigint> {
  const [row] = await queries.query<{ gen_utime: bigint }>(SQL`
    select b.gen_utime from indexed_range r join blocks b on b.workchain = -1 and b.seqno = r.last`);
  return row?.gen_utime ?? 0n;
}

/** blocks_of_masterchain. */
export async function masterchainBlockExists(queries: Queries, seqno: number): Promise<boolean> {
  return (await masterchainRootHash(queries, seqno)) !== undefined;
}

/** The root hash of a stored masterchain block: blocks_of_masterchain. */
export async function masterchainRootHash(queries: Queries, seqno: number): Promise<Uint8Array | undefined> {
  const [row] = await queries.query<{ root_hash: Uint8Array }>(SQL`
    select root_hash from blocks where workchain = -1 and seqno = ${seqno}`);
  return row?.root_hash;
}

function select(queries: Queries, from: Fragment): Promise<BlockRecord[]> {
  return selectRecords(queries, blockRecord, from);
}
