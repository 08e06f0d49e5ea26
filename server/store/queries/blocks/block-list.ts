import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { textOf } from "../../declare/record.js";
import { fixedText } from "../../sql/fixed-text.js";
import { type BytesOf, parsedJson } from "../../sql/row-bytes.js";
import { all, capped, compared, type Direction, type Fragment, type Page } from "../../sql/where.js";
import { type BlockRecord, blockRecord } from "../../tables/blocks.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredBlockPlaces } from "../cluster/gathered-directories.js";
import type { OffsetBookmarks, OrderedList } from "../slots/offset-bookmarks.js";
import {
  endColumns,
  firstOfSlot,
  isBehind,
  isOfSlot,
  type ListOrder,
  type PageShape,
  type PageValues,
  pageOfSlots,
  readPage,
  sortedBy,
} from "../slots/slot-pages.js";
import { timesOf } from "../slots/slot-windows.js";
import { isLater } from "../slots/slots.js";
import { narrowedTimes } from "./block-times.js";
import { type BlockFilter, conditionsOf, type FilterName, namesOf, shardsNamed, slotsOf } from "./blocks.js";

type BlockKey = { gen_utime: bigint; workchain: number; shard: bigint; seqno: number };

/** One page of blocks. */
export async function listBlocks(
  queries: Queries,
  asked: BlockFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
): Promise<BlockRecord[]> {
  const hashes = [asked.root_hash, asked.file_hash].filter((hash) => hash !== undefined);
  const located =
    hashes.length === 0 ? queries : await besideRows(queries, () => [gatheredBlockPlaces(hashes)]);
  const { start_lt, end_lt } = asked;
  const whole = { ...asked, start_lt: start_lt && capped(start_lt), end_lt: end_lt && capped(end_lt) };
  const isOfFew = namesOf(whole).some(findsFew);
  const filter = isOfFew ? whole : await narrowedTimes(located, whole, { ofStored: true });
  const shards = isOfFew ? undefined : await shardsNamed(located, filter);
  const slots = await slotsOf(located, filter, shards);
  const shape = { names: namesOf(filter), sort, isOfFew, isByShard: shards !== undefined };
  const named = {
    workchains: shards?.map(({ workchain }) => workchain),
    shards: shards?.map(({ shard }) => shard),
  };
  const list = listOf(whole, sort);
  const fromBytes = ({ text }: BytesOf<{ text: string }>) => parsedJson<BlockRecord>(text);
  return bookmarks.readRows(
    located,
    { order: list.order, list: async () => list },
    page,
    (part, after, isKeyed) =>
      readPage<BlockRecord>(
        located,
        { order, sort, page: part, after, isKeyed, slots, bounds: timesOf(filter), fromBytes },
        (ofPage, values, { fromBytes }) => ({
          ...pages({ ...shape, ...ofPage })({ ...filter, ...named, ...values }),
          // How many blocks have a value tells which index leads to fewer. Otherwise some index has the order.
          ...{ isPlannedOnce: !isOfFew, isInOrder: !isOfFew, fromBytes },
        }),
      ),
  );
}

/** Whether an index finds a few blocks in a slot. */
function findsFew(name: FilterName): boolean {
  return name.endsWith("seqno") || name.endsWith("hash");
}

/** As blocks_by_time has it. */
const order: ListOrder = [
  { name: "gen_utime", by: "gen_utime", type: "bigint" },
  { name: "chain", by: "(-workchain)", type: "integer", isNegative: true },
  { name: "shard", by: "shard", type: "bigint" },
  { name: "seqno", by: "seqno", type: "integer" },
];

/** As blocks_by_shard has those of one shard. Without the workchain: blocks_by_time, which has it, would be searched from end to end. */
const orderOfShard = order.filter(({ name }) => name !== "chain");

type Shape = PageShape & {
  names: readonly FilterName[];
  sort: Direction;
  /** Whether indexes find a few blocks in a slot, which are sorted. */
  isOfFew: boolean;
  /** Whether each of the shards that are named is searched by itself. */
  isByShard: boolean;
};
type NamedShards = { workchains?: readonly number[] | undefined; shards?: readonly bigint[] | undefined };
type Values = PageValues & BlockFilter & NamedShards;

const pages = (shape: Shape) =>
  fixedText<Values>((given) => {
    const { names, sort, isOfFew, isByShard } = shape;
    const tested = isByShard ? names.filter((name) => name !== "workchain" && name !== "shard") : names;
    const rows = (...more: (Fragment | undefined)[]) =>
      SQL`blocks where ${all(conditionsOf(tested, given), ...more)}`;
    const [each, ofShard] = isByShard
      ? [
          SQL`cross join unnest(${given.workchains}::integer[], ${given.shards}::bigint[]) named(workchain, shard)`,
          SQL`blocks.workchain = named.workchain and blocks.shard = named.shard`,
        ]
      : [];
    const behind = shape.isBehind ? isBehind(order, sort, given) : undefined;
    // The order of few rows would lead to all that have their times, and a slot to all of its rows.
    const from = isOfFew
      ? SQL`(
          select * from ${rows(SQL`start_lt between ${given.first} and ${given.greatest}`)} offset 0) blocks
        where ${all(isOfSlot("start_lt", given), behind)}`
      : rows(ofShard, isOfSlot("start_lt", given), behind);
    const search = isByShard
      ? firstOfSlot({ select: SQL`*, -workchain as chain`, from, order: orderOfShard, sort }, given)
      : firstOfSlot({ select: SQL`*`, from, order, sort }, given);
    return SQL`select ${raw(textOf(blockRecord))} as text${endColumns(order, "b", shape)}
      from ${pageOfSlots(given, search, { ...shape, order, each })} b order by ${sortedBy(order, sort, "b.")}`;
  });

/** The list of the matching blocks, for bookmarks. */
function listOf(filter: BlockFilter, sort: Direction): OrderedList<BlockKey> {
  const columns = order.map(({ by }) => by);
  const conditions = conditionsOf(namesOf(filter), filter);
  return {
    order: [
      ["gen_utime", "bigint"],
      ["workchain", "integer"],
      ["shard", "bigint"],
      ["seqno", "integer"],
    ],
    keys: () => SQL`${conditions} ${raw(sort)}`,
    countLater: (later, { gen_utime, workchain, shard, seqno }) => SQL`select count(*) from blocks
      where ${all(
        conditions,
        isLater("start_lt", "mc_block_seqno", later),
        compared(sort, "upTo", columns, [gen_utime, -workchain, shard, seqno]),
      )}`,
  };
}
