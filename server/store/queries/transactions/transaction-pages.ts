import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import { addressToBytes } from "../../address-bytes.js";
import type { FromBytes, Queries, Statement } from "../../database.js";
import { type BytesOf, latin1Text, type TakeText, taking } from "../../sql/row-bytes.js";
import { hasTimes, type Page } from "../../sql/where.js";
import type { PageExtras } from "../accounts/page-extras.js";
import { shardsNamed } from "../blocks/blocks.js";
import { narrowedToPage } from "../blocks/page-times.js";
import { indexedFilters } from "../messages/message-indexes.js";
import type { OffsetBookmarks, OrderedList } from "../slots/offset-bookmarks.js";
import { type ReadPage, readPage } from "../slots/slot-pages.js";
import { type Axis, type Bounds, slotsBehind, slotsWithin, timesOf } from "../slots/slot-windows.js";
import { type CountedSlot, countedSlots, type KnownSlot, readSlots } from "../slots/slots.js";
import { hasOnly, ltNames, ltRange, type TransactionFilter } from "./transaction-filter.js";
import type { TransactionKey } from "./transaction-search.js";
import {
  type Asked,
  blockFilters,
  type FilterValues,
  isByMessages,
  isTested,
  keyTypes,
  type ListShape,
  leadOf,
  orderOf,
  type Shape,
  type Values,
} from "./transaction-shape.js";
import { pages, times } from "./transaction-statements.js";

/** Whether the transactions of a filter are searched for: it names neither them nor their blocks. */
export function isSearched({ hash, msg_hash, seqno, mc_seqno }: TransactionFilter): boolean {
  return !hash?.length && !msg_hash?.length && seqno === undefined && mc_seqno === undefined;
}

/** A page, and how its rows are made. */
type Wanted<Taken> = { page: Page; take: TakeText<Taken>; extras?: PageExtras | undefined };

/**
 * One page of the transactions of a filter that names neither transactions nor blocks: one statement finds and reads it, by
 * the index that has most of the filter. `list` is the same list, for bookmarks.
 */
export async function readSearched<Taken>(
  queries: Queries,
  asked: Asked,
  { page, take, extras }: Wanted<Taken>,
  bookmarks: OffsetBookmarks,
  list: () => Promise<OrderedList<TransactionKey>>,
): Promise<Taken[]> {
  if (asked.accounts?.length === 0) return [];
  const { sort } = asked;
  const byTime = hasTimes(asked.filter);
  const isNarrowed = byTime && isByMessages(leadOf(asked));
  const filter = isNarrowed
    ? await narrowedToPage(queries, asked.filter, { ...page, sort }, (possible, count) =>
        timesInOrderOfLt(queries, { ...asked, filter: possible }, count),
      )
    : asked.filter;
  const options = { rows: page.limit, fromBytes: taking(take), extras };
  const search = await searchOf(queries, { ...asked, filter }, { byTime, isNarrowed });
  return bookmarks.readRows(queries, { order: keyTypes(byTime), list }, page, (part, after, isKeyed) =>
    readFrom<Taken>(
      queries,
      search,
      { page: part, after, isKeyed },
      options.fromBytes,
      (shape, values, more) => pages(shape)(values, { ...options, ...more }),
    ),
  );
}

/** The times of the first transactions in the order of lt. */
async function timesInOrderOfLt(queries: Queries, asked: Asked, count: number): Promise<bigint[]> {
  const search = await searchOf(queries, asked, { byTime: false, isNarrowed: false });
  const fromBytes = ({ now }: BytesOf<{ now: string }>) => BigInt(latin1Text(now));
  const first = { page: { limit: count, offset: 0 }, after: undefined, isKeyed: false };
  const { rows } = await readFrom<bigint>(queries, search, first, fromBytes, (shape, values, own) => ({
    ...times(shape)(values),
    fromBytes: own.fromBytes,
    isInOrder: true,
  }));
  return rows;
}

type Search = {
  shape: ListShape;
  values: FilterValues;
  slots: readonly KnownSlot[];
  bounds: Bounds & { axis: Axis };
  /** Whether the list has all transactions that slots count. */
  areCounted: boolean;
};

function readFrom<Taken>(
  queries: Queries,
  { shape, values, slots, bounds, areCounted }: Search,
  { page, after, isKeyed }: { page: Page; after: readonly KeyValue[] | undefined; isKeyed: boolean },
  fromBytes: FromBytes,
  statement: (shape: Shape, values: Values, more: { fromBytes: FromBytes; isLast: boolean }) => Statement,
): Promise<ReadPage<Taken>> {
  const { sort } = shape;
  const skipped =
    areCounted && !after ? slotsBehind(slots as CountedSlot[], sort, page.offset) : { slots, rank: 0 };
  const part = { ...page, offset: page.offset - skipped.rank };
  return readPage<Taken>(
    queries,
    {
      ...{ order: orderOf(shape), sort, page: part, after, isKeyed, fromBytes },
      ...{ slots: skipped.slots, bounds, isExact: areCounted && !after, isTested: isTested(shape) },
    },
    (ofPage, own, more) => statement({ ...shape, ...ofPage }, { ...values, ...own }, more),
  );
}

async function searchOf(
  queries: Queries,
  asked: Asked,
  { byTime, isNarrowed }: { byTime: boolean; isNarrowed: boolean },
): Promise<Search> {
  const { filter, accounts, sort } = asked;
  const named = leadOf(asked);
  const { start_utime = 0, end_utime = 2 ** 32, source, destination, opcode, body_hash = null } = filter;
  const shards = named === "all" ? await shardsNamed(queries, filter) : undefined;
  const lead = shards ? "shard" : named;
  const party = source ?? destination;
  const parties = accounts ?? (party && [addressToBytes(party)]);
  const isCounted = parties && opcode === undefined && !body_hash;
  const slots = isCounted
    ? await countedSlots(queries, parties)
    : await readSlots(queries, { accounts: parties, opcode, bodyHash: body_hash ?? undefined, shards });
  const range = ltRange(filter);
  const lts = { axis: "lt", ...range } as const;
  return {
    shape: {
      ...{ sort, byTime, isNarrowed, lead },
      messageFilters: indexedFilters(filter),
      direction: filter.direction,
      hasLts: ltNames.some((name) => filter[name] !== undefined),
      hasTimes: hasTimes(filter),
      hasAccounts: accounts !== undefined,
      excludes: accounts === undefined && (filter.exclude_account?.length ?? 0) > 0,
      ofBlocks: lead === "shard" ? [] : blockFilters.filter((name) => filter[name] !== undefined),
    },
    values: {
      ...{ accounts: accounts ?? [], excluded: (filter.exclude_account ?? []).map(addressToBytes) },
      ...{
        workchains: shards?.map((each) => each.workchain) ?? [],
        shards: shards?.map((each) => each.shard) ?? [],
      },
      ...{ workchain: filter.workchain ?? null, shard: filter.shard ?? null },
      ...{ from: range.from, to: range.to, since: start_utime, until: end_utime },
      source: source ? addressToBytes(source) : null,
      destination: destination ? addressToBytes(destination) : null,
      ...{ opcode: opcode === undefined ? null : opcode | 0, body_hash },
    },
    slots: byTime ? slotsWithin(slots, lts) : slots,
    bounds: byTime ? timesOf(filter) : lts,
    areCounted: accounts !== undefined && hasOnly(filter),
  };
}
