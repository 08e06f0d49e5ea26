import SQL from "sql-template-tag";
import type { Queries } from "../database.js";
import type { UnitName } from "../queries/blocks/units.js";
import type { IndexReads } from "../reads/index-reads.js";
import { all, type Fragment, given, ordered, paged, within } from "../sql/where.js";
import { type BlockRecord, blockRecord } from "../tables/blocks.js";
import { readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { hashValue } from "./values.js";

async function readBlocks(queries: Queries, rest: Fragment): Promise<BlockRecord[]> {
  const rows = await readRows(queries, foreign.blocks, rest);
  return rows.map((b) => blockRecord.present({ b }));
}

const ofMasterchain = SQL`x.workchain = -1 and x.shard = -9223372036854775808`;

/** The first and the last masterchain block; theirs has no record of gaps between them. */
async function unitRange(queries: Queries): Promise<{ first: number; last: number } | undefined> {
  const [range] = await queries.query<{ first: number | null; last: number | null }>(SQL`
    select (select seqno from blocks where workchain = -1 order by seqno limit 1) as first,
      (select seqno from blocks where workchain = -1 order by seqno desc limit 1) as last`);
  const { first = null, last = null } = range ?? {};
  return first === null || last === null ? undefined : { first, last };
}

type BlockReads = Pick<
  IndexReads,
  | "indexedEnds"
  | "listBlocks"
  | "shardHeads"
  | "masterchainBlockExists"
  | "newestBlockTime"
  | "unitRange"
  | "unitsAmong"
>;

export const blockReads: BlockReads = {
  unitRange,

  async indexedEnds(queries) {
    const range = await unitRange(queries);
    if (!range) return undefined;
    const seqnos = [range.first, range.last];
    const ends = await readBlocks(
      queries,
      SQL`where ${ofMasterchain} and x.seqno = any(${seqnos}::integer[]) order by x.seqno`,
    );
    const [first] = ends;
    const last = ends.at(-1);
    return first && last && { first, last };
  },

  listBlocks(queries, filter, { sort, ...page }) {
    const where = all(
      given(filter.workchain, (value) => SQL`x.workchain = ${value}`),
      given(filter.shard, (value) => SQL`x.shard = ${value}`),
      given(filter.seqno, (value) => SQL`x.seqno = ${value}`),
      given(filter.root_hash, (value) => SQL`x.root_hash = ${hashValue(value)}`),
      given(filter.file_hash, (value) => SQL`x.file_hash = ${hashValue(value)}`),
      given(filter.mc_seqno, (value) => SQL`x.mc_block_seqno = ${value}`),
      within("x.gen_utime", filter.start_utime, filter.end_utime),
      within("x.start_lt", filter.start_lt, filter.end_lt),
    );
    const order = ordered(sort, "x.gen_utime", "(-x.workchain)", "x.shard", "x.seqno");
    return readBlocks(queries, SQL`where ${where} order by ${order} ${paged(page)}`);
  },

  shardHeads: (queries, mcSeqno) =>
    readBlocks(
      queries,
      SQL`join shard_state s on s.workchain = x.workchain and s.shard = x.shard and s.seqno = x.seqno
        where s.mc_seqno = ${mcSeqno} order by x.workchain, x.shard, x.seqno`,
    ),

  async masterchainBlockExists(queries, seqno) {
    const found = await queries.query(
      SQL`select x.seqno from blocks x where ${ofMasterchain} and x.seqno = ${seqno}`,
    );
    return found.length > 0;
  },

  async newestBlockTime(queries) {
    const [newest] = await queries.query<{ gen_utime: bigint }>(SQL`
      select gen_utime from blocks where workchain = -1 order by seqno desc limit 1`);
    return newest?.gen_utime ?? 0n;
  },

  async unitsAmong(queries, seqnos) {
    const rows = await readRows(
      queries,
      foreign.blocks,
      SQL`where ${ofMasterchain} and x.seqno = any(${seqnos}::integer[])`,
    );
    return rows.map(
      ({ seqno, root_hash, gen_utime, end_lt }): UnitName => ({
        seqno,
        rootHash: root_hash,
        genUtime: BigInt(gen_utime),
        endLt: end_lt,
      }),
    );
  },
};
