import type { z } from "zod";
import type { block } from "../../../shared/schema/v3/blocks.js";
import { itemAt } from "../../../shared/values/lookups.js";
import {
  bigint,
  bigintArray,
  boolean,
  hash,
  integer,
  integerArray,
  numeric,
  shard,
  shownAs,
  smallint,
  wideInteger,
} from "../declare/columns.js";
import { columnsOf, object, type Part } from "../declare/record.js";
import { type RowOf, table } from "../declare/table.js";
import { decimal, shardHex } from "../declare/wire-forms.js";

export type BlockRow = RowOf<typeof blocks.columns>;

/** Blocks with the masterchain block they entered with (a masterchain block: itself). */
export const blocks = table("blocks", {
  columns: {
    workchain: integer,
    shard: shard,
    seqno: integer,
    root_hash: hash,
    file_hash: hash,
    mc_block_seqno: integer,
    global_id: integer,
    version: wideInteger,
    after_merge: boolean,
    before_split: boolean,
    after_split: boolean,
    want_merge: boolean,
    want_split: boolean,
    key_block: boolean,
    vert_seqno_incr: boolean,
    flags: smallint,
    gen_utime: shownAs(wideInteger, decimal),
    start_lt: bigint,
    end_lt: bigint,
    validator_list_hash_short: integer,
    gen_catchain_seqno: integer,
    min_ref_mc_seqno: wideInteger,
    prev_key_block_seqno: integer,
    vert_seqno: integer,
    master_ref_seqno: integer,
    rand_seed: hash,
    created_by: hash,
    tx_count: integer,
    /** Nanotons; not part of records. */
    total_fees: bigint,
    prev_shards: bigintArray,
    prev_seqnos: integerArray,
  },
  key: ["workchain", "shard", "seqno", "start_lt"],
  revertBy: { block: "mc_block_seqno" },
  partitionBy: "start_lt",
});

export type BlockHourRow = RowOf<typeof blockHours.columns>;

/** Sums of the blocks of an hour, by the time when it begins: how many, their transactions, and the fees of these in nanotons. */
export const blockHours = table("block_hours", {
  columns: { utime: wideInteger, n: bigint, tx_count: bigint, total_fees: numeric },
  key: ["utime"],
  merge: { add: ["n", "tx_count", "total_fees"] },
});

/** The newest block of every shard as of a masterchain block, itself included; `start_lt` is that of the masterchain block. */
export const shardState = table("shard_state", {
  columns: { mc_seqno: integer, workchain: integer, shard, seqno: integer, start_lt: bigint },
  key: ["mc_seqno", "workchain", "shard", "start_lt"],
  revertBy: { block: "mc_seqno" },
  partitionBy: "start_lt",
});

export type BlockRecord = z.output<typeof block>;
type BlockRef = BlockRecord["masterchain_block_ref"];

const b = columnsOf("b", blocks.columns);
type Rows = { b: BlockRow };

const masterchainBlock: Part<Rows, BlockRef> = {
  json: [{ sql: "wire_block_id(-1, -9223372036854775808, b.mc_block_seqno)" }],
  present: ({ b: row }) => blockRef(-1, -(2n ** 63n), row.mc_block_seqno),
};

const previousBlocks: Part<Rows, BlockRef[]> = {
  json: [
    {
      sql: `(select coalesce(json_agg(wire_block_id(b.workchain, prev.shard, prev.seqno) order by place), '[]')
    from unnest(b.prev_shards, b.prev_seqnos) with ordinality prev(shard, seqno, place))`,
    },
  ],
  present: ({ b: row }) =>
    row.prev_seqnos.map((seqno, i) => blockRef(row.workchain, itemAt(row.prev_shards, i), seqno)),
};

/** A block as answered. */
export const blockRecord: Part<Rows, BlockRecord> = object({
  workchain: b.workchain,
  shard: b.shard,
  seqno: b.seqno,
  root_hash: b.root_hash,
  file_hash: b.file_hash,
  global_id: b.global_id,
  version: b.version,
  after_merge: b.after_merge,
  before_split: b.before_split,
  after_split: b.after_split,
  want_merge: b.want_merge,
  want_split: b.want_split,
  key_block: b.key_block,
  vert_seqno_incr: b.vert_seqno_incr,
  flags: b.flags,
  gen_utime: b.gen_utime,
  start_lt: b.start_lt,
  end_lt: b.end_lt,
  validator_list_hash_short: b.validator_list_hash_short,
  gen_catchain_seqno: b.gen_catchain_seqno,
  min_ref_mc_seqno: b.min_ref_mc_seqno,
  prev_key_block_seqno: b.prev_key_block_seqno,
  vert_seqno: b.vert_seqno,
  master_ref_seqno: b.master_ref_seqno,
  rand_seed: b.rand_seed,
  created_by: b.created_by,
  tx_count: b.tx_count,
  masterchain_block_ref: masterchainBlock,
  prev_blocks: previousBlocks,
});

function blockRef(workchain: number, shard: bigint, seqno: number): BlockRef {
  return { workchain, shard: shardHex.present(shard), seqno };
}
