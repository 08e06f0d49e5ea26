import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { all, type Fragment, given, greatest, least, plannedOnce, type TimeBounds } from "../../sql/where.js";
import { type BlockRecord, blockRecord } from "../../tables/blocks.js";
import { selectRecords } from "../rows.js";
import { inSlots, slotsWithin, timesOf } from "../slots/slot-windows.js";
import { readSlots, type ShardName, type Slot } from "../slots/slots.js";
import { masterchainBlocks } from "./masterchain-blocks.js";

/** Members are named like the parameters of the methods. */
export type BlockFilter = TimeBounds & {
  workchain?: number | undefined;
  shard?: bigint | undefined;
  seqno?: number | undefined;
  root_hash?: Uint8Array | undefined;
  file_hash?: Uint8Array | undefined;
  mc_seqno?: number | undefined;
};

/** The records of blocks, in their order: primary keys. */
export function blocksAt(
  queries: Queries,
  keys: readonly (BlockName & { start_lt: bigint })[],
): Promise<BlockRecord[]> {
  const column = (name: keyof BlockName) => keys.map((key) => key[name]);
  const lts = keys.map(({ start_lt }) => start_lt);
  return selectRecords(
    queries,
    blockRecord,
    SQL`unnest(${column("workchain")}::integer[], ${column("shard")}::bigint[], ${column("seqno")}::integer[],
        ${lts}::bigint[]) with ordinality page(workchain, shard, seqno, start_lt, place)
      cross join lateral (
        select * from blocks
        where workchain = page.workchain and shard = page.shard and seqno = page.seqno and start_lt = page.start_lt
          and start_lt between ${least(lts)} and ${greatest(lts)} offset 0) b
      order by page.place`,
    { isPlannedOnce: true },
  );
}

function toBigint(value: number | undefined): bigint | undefined {
  return value === undefined ? undefined : BigInt(value);
}

/** Values are those of a filter, or places of a fixed text. */
const conditions = {
  workchain: (value) => SQL`workchain = ${value}`,
  shard: (value) => SQL`shard = ${value}`,
  seqno: (value) => SQL`seqno = ${value}`,
  root_hash: (value) => isHashOfBlock("root_hash", value),
  file_hash: (value) => isHashOfBlock("file_hash", value),
  mc_seqno: (value) => SQL`mc_block_seqno = ${value}`,
  start_utime: (value) => SQL`gen_utime >= ${value}`,
  end_utime: (value) => SQL`gen_utime <= ${value}`,
  start_lt: (value) => SQL`start_lt >= ${value}`,
  end_lt: (value) => SQL`start_lt <= ${value}`,
} satisfies Record<keyof BlockFilter, (value: unknown) => Fragment>;
export type FilterName = keyof typeof conditions;

/** The filters that are given. */
export function namesOf(filter: BlockFilter): FilterName[] {
  return (Object.keys(conditions) as FilterName[]).filter((name) => filter[name] !== undefined);
}

export function conditionsOf(
  names: readonly FilterName[],
  values: { readonly [Name in FilterName]?: unknown },
): Fragment {
  return all(...names.map((name) => conditions[name](values[name])));
}

/** By block_locator, then blocks_by_lt: few blocks begin at the same lt. */
function isHashOfBlock(column: string, hash: unknown): Fragment {
  return SQL`start_lt = any(array(${locatedBlocks(hash)})) and ${raw(column)} = ${hash}`;
}

function locatedBlocks(hash: unknown): Fragment {
  return SQL`select start_lt from block_locator where hash_prefix = hash_prefix(${hash})`;
}

/**
 * The slots that may have matching blocks: shard_slots, block_locator, and the bounds that slots note. `shards`: those that the
 * filter names, if it has no seqno.
 */
export async function slotsOf(
  queries: Queries,
  filter: BlockFilter,
  shards?: readonly ShardName[],
): Promise<Slot[]> {
  const { workchain, shard, seqno, mc_seqno, root_hash, file_hash } = filter;
  const known =
    seqno === undefined
      ? await readSlots(queries, { shards })
      : await slotsOfSeqno(queries, { workchain, shard, seqno });
  const ofSeqno = toBigint(mc_seqno);
  const bounds = [
    { axis: "mc_seqno", from: ofSeqno, to: ofSeqno },
    { axis: "lt", from: filter.start_lt, to: filter.end_lt },
    timesOf(filter),
  ] as const;
  const slots = bounds.reduce<Slot[]>((left, { axis, from, to }) => {
    return from === undefined && to === undefined ? left : slotsWithin(left, { axis, from, to });
  }, known);
  const hash = root_hash ?? file_hash;
  if (!hash) return slots;
  const starts = await queries.query<{ start_lt: bigint }>(locatedBlocks(hash));
  return slots.filter(({ from_lt, to_lt }) =>
    starts.some(({ start_lt }) => from_lt <= start_lt && start_lt < to_lt),
  );
}

/** The slots that may have a block with a seqno: shard_slots, which has a row for each slot of each shard. */
async function slotsOfSeqno(
  queries: Queries,
  { workchain, shard, seqno }: Pick<BlockFilter, "workchain" | "shard"> & { seqno: number },
): Promise<Slot[]> {
  const rows = await queries.query<{ from_lt: bigint; first_seqno: number; last_seqno: number }>(SQL`
    select from_lt, first_seqno, last_seqno from shard_slots
    where ${all(
      given(workchain, (value) => SQL`workchain = ${value}`),
      given(shard, (value) => SQL`shard = ${value}`),
    )}
    order by workchain, shard, from_lt`);
  const found = new Set(
    rows
      .filter(({ first_seqno, last_seqno }) => first_seqno <= seqno && seqno <= last_seqno)
      .map(({ from_lt }) => from_lt),
  );
  return found.size === 0 ? [] : (await readSlots(queries)).filter(({ from_lt }) => found.has(from_lt));
}

/** A block, and the lt of its transactions. */
export type BlockSpan = { workchain: number; shard: bigint; seqno: number; start_lt: bigint; end_lt: bigint };

/** The blocks of a seqno, or those of a masterchain block: blocks_by_seqno, blocks_by_masterchain. */
export async function blockSpans(
  queries: Queries,
  { workchain, shard, seqno, mc_seqno }: Pick<BlockFilter, "workchain" | "shard" | "seqno" | "mc_seqno">,
): Promise<BlockSpan[]> {
  const filter = { workchain, shard, seqno, mc_seqno };
  const slots = await slotsOf(queries, filter);
  if (slots.length === 0) return [];
  return queries.query<BlockSpan>(SQL`
    select workchain, shard, seqno, start_lt, end_lt from blocks
    where ${conditionsOf(namesOf(filter), filter)} and ${inSlots("start_lt", slots)}`);
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
  if (shard === undefined) {
    const some = await queries.query(
      SQL`select workchain from shard_slots where workchain = ${workchain} limit 1`,
    );
    return some.length > 0 ? undefined : [];
  }
  // Skips from one workchain to the next, in the partition of the shard.
  const known = await queries.query<{ workchain: number }>(SQL`
    with recursive known as (
      (select workchain from shard_slots where shard = ${shard} order by workchain limit 1)
      union all
      select (
        select s.workchain from shard_slots s
        where s.shard = ${shard} and s.workchain > known.workchain order by s.workchain limit 1)
      from known where known.workchain is not null)
    select workchain from known where workchain is not null`);
  return known.map((each) => ({ workchain: each.workchain, shard }));
}

const masterchain = -1;
const wholeShard = -(2n ** 63n);

type BlockName = ShardName & { seqno: number };

/** The newest block of every shard as of a masterchain block: primary keys of shard_state and blocks. */
export async function shardHeads(queries: Queries, mcSeqno: number): Promise<BlockRecord[]> {
  return (await headsAsOf(queries, mcSeqno)).heads;
}

/** Likewise. `areAll`: whether all of them are stored. */
export async function headsAsOf(
  queries: Queries,
  mcSeqno: number,
): Promise<{ heads: BlockRecord[]; areAll: boolean }> {
  const slots = await slotsOf(queries, { mc_seqno: mcSeqno });
  if (slots.length === 0) return { heads: [], areAll: false };
  const names = await queries.query<BlockName>(
    plannedOnce(SQL`
      select workchain, shard, seqno from shard_state
      where mc_seqno = ${mcSeqno} and ${inSlots("start_lt", slots)}`),
  );
  const found = await blocksIn(queries, names, slots);
  if (found.length === names.length) return { heads: found, areAll: names.length > 0 };
  // A shard without a new block has its newest one in a slot before.
  const earlier = await slotsOfBlocks(queries, names);
  const heads = earlier.length === 0 ? [] : await blocksIn(queries, names, earlier);
  return { heads, areAll: heads.length === names.length };
}

type SlotRange = Pick<Slot, "from_lt" | "to_lt">;

/** The slots that may have these blocks: shard_slots. */
function slotsOfBlocks(queries: Queries, names: readonly BlockName[]): Promise<SlotRange[]> {
  return queries.query<SlotRange>(SQL`
    select distinct s.from_lt, s.to_lt
    from ${unnested(names)} name
    join shard_slots o on o.workchain = name.workchain and o.shard = name.shard
      and name.seqno between o.first_seqno and o.last_seqno
    join slots s on s.from_lt = o.from_lt`);
}

/** Blocks in some slots, sorted by their names. */
function blocksIn(
  queries: Queries,
  names: readonly BlockName[],
  slots: readonly SlotRange[],
): Promise<BlockRecord[]> {
  return selectRecords(
    queries,
    blockRecord,
    SQL`${unnested(names)} name
    cross join lateral (
      select * from blocks
      where workchain = name.workchain and shard = name.shard and seqno = name.seqno
        and ${inSlots("start_lt", slots)} offset 0) b
    order by b.workchain, b.shard, b.seqno`,
  );
}

function unnested(names: readonly BlockName[]): Fragment {
  return SQL`(
    select * from unnest(
      ${names.map(({ workchain }) => workchain)}::integer[], ${names.map(({ shard }) => shard)}::bigint[],
      ${names.map(({ seqno }) => seqno)}::integer[]
    ) each(workchain, shard, seqno))`;
}

/** First and last block of the gap-free range with the newest block: masterchain blocks by their seqnos. */
export async function indexedEnds(
  queries: Queries,
): Promise<{ first: BlockRecord; last: BlockRecord } | undefined> {
  const [range] = await queries.query<{ first: number; last: number }>(
    SQL`select first, last from indexed_range`,
  );
  if (!range) return undefined;
  const seqnos = [range.first, range.last];
  const from = await masterchainBlocks(queries, seqnos);
  if (!from) return undefined;
  const ends = await selectRecords(queries, blockRecord, SQL`${from} order by b.seqno`, {
    isPlannedOnce: true,
  });
  const [first] = ends;
  const last = ends.at(-1);
  return first && last && { first, last };
}
