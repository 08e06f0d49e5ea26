import SQL from "sql-template-tag";
import type { z } from "zod";
import type { block } from "../../../shared/schema/v3-blocks.js";
import type { Queries } from "../database.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  given,
  ordered,
  type Page,
  paged,
  within,
} from "../where.js";
import type { OffsetBookmarks, OrderedList } from "./offset-bookmarks.js";

export type BlockRecord = z.output<typeof block>;

/** Named like the parameters. */
export type BlockFilter = {
  workchain?: number | undefined;
  shard?: bigint | undefined;
  seqno?: number | undefined;
  root_hash?: Uint8Array | undefined;
  file_hash?: Uint8Array | undefined;
  mc_seqno?: number | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

/** A block as answered: row `b` of `blocks`. */
const blockJson: Fragment = SQL`json_build_object(
  'workchain', b.workchain,
  'shard', wire_shard(b.shard),
  'seqno', b.seqno,
  'root_hash', wire_hash(b.root_hash),
  'file_hash', wire_hash(b.file_hash),
  'global_id', b.global_id,
  'version', b.version,
  'after_merge', b.after_merge,
  'before_split', b.before_split,
  'after_split', b.after_split,
  'want_merge', b.want_merge,
  'want_split', b.want_split,
  'key_block', b.key_block,
  'vert_seqno_incr', b.vert_seqno_incr,
  'flags', b.flags,
  'gen_utime', b.gen_utime::text,
  'start_lt', b.start_lt::text,
  'end_lt', b.end_lt::text,
  'validator_list_hash_short', b.validator_list_hash_short,
  'gen_catchain_seqno', b.gen_catchain_seqno,
  'min_ref_mc_seqno', b.min_ref_mc_seqno,
  'prev_key_block_seqno', b.prev_key_block_seqno,
  'vert_seqno', b.vert_seqno,
  'master_ref_seqno', b.master_ref_seqno,
  'rand_seed', wire_hash(b.rand_seed),
  'created_by', wire_hash(b.created_by),
  'tx_count', b.tx_count,
  'masterchain_block_ref', wire_block_id(-1, -9223372036854775808, b.mc_block_seqno),
  'prev_blocks', (select coalesce(json_agg(wire_block_id(b.workchain, prev.shard, prev.seqno) order by place), '[]')
    from unnest(b.prev_shards, b.prev_seqnos) with ordinality prev(shard, seqno, place))
)`;

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

/** The blocks that match, by blocks_by_time, or by the index of what is given. */
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

/** The ends of what is indexed without a gap up to the newest block; blocks_of_masterchain. */
export async function indexedEnds(
  queries: Queries,
): Promise<{ first: BlockRecord; last: BlockRecord } | undefined> {
  const blocks = await select(
    queries,
    SQL`indexed_range r
      join blocks b on b.workchain = -1 and b.seqno in (r.first, r.last)
      order by b.seqno`,
  );
  const [first] = blocks;
  const last = blocks.at(-1);
  return first && last && { first, last };
}

/** blocks_of_masterchain. */
export async function masterchainBlockExists(queries: Queries, seqno: number): Promise<boolean> {
  const rows = await queries.query(SQL`select 1 from blocks where workchain = -1 and seqno = ${seqno}`);
  return rows.length > 0;
}

async function select(queries: Queries, from: Fragment): Promise<BlockRecord[]> {
  const rows = await queries.query<{ block: BlockRecord }>(SQL`select ${blockJson} as block from ${from}`);
  return rows.map(({ block }) => block);
}
