import type { KeyValue } from "../../../../shared/values/list-cursor.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { type BytesOf, latin1Text, type TakeText, taking } from "../../sql/row-bytes.js";
import { type Direction, hasLts, hasTimes, type Page } from "../../sql/where.js";
import type { PageExtras } from "../accounts/page-extras.js";
import { narrowedTimes } from "../blocks/block-times.js";
import { narrowedToPage } from "../blocks/page-times.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredLocatedMessages } from "../cluster/gathered-rows.js";
import { readList } from "../cluster/list-keys.js";
import { messageKeys } from "../cluster/message-keys.js";
import { locateMessages, locationsOf } from "../slots/locators.js";
import { type OffsetBookmarks, readKeys } from "../slots/offset-bookmarks.js";
import { readPage } from "../slots/slot-pages.js";
import { slotsWithin } from "../slots/slot-windows.js";
import { countedSlots, type KnownSlot, readSlots, spansAt } from "../slots/slots.js";
import { boundsOf, type MessageListFilter } from "./message-filter.js";
import { indexOf } from "./message-indexes.js";
import { byLt, locatedPages, orderOf, pages, shapeOf, times, valuesOf } from "./message-statements.js";
import { messagesOfRows } from "./message-texts.js";

/**
 * One page of messages: what `take` makes of their texts, which have cuts for the members read from their bodies. Each is
 * listed once although both sides are stored. An inbound external message has no time of its own and sorts by its
 * transaction; if two transactions accepted it, it is listed twice.
 */
export async function listMessages<Taken>(
  queries: Queries,
  given: MessageListFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[]> {
  if (asksNothing(given)) return [];
  // No external message has a source.
  const asked = given.only_externals ? { ...given, source: null } : given;
  const located = asked.msg_hash?.length ? await locateMessages(queries, asked.msg_hash) : undefined;
  if (located?.length === 0) return [];
  const byTime = hasTimes(asked);
  const isNarrowed = byTime && !located && indexOf(asked) !== undefined;
  const timed = located || !byTime ? asked : await narrowedTimes(queries, asked, { ofStored: false });
  const filter = isNarrowed ? await narrowedFilter(queries, timed, { sort, ...page }) : timed;
  const slots = located ? [] : await slotsOf(queries, filter);
  const list = messageKeys(filter, { sort, byTime, located, slots });
  const fromBytes = taking(take);
  const options = { rows: page.limit, fromBytes, extras };
  const order = orderOf({ byTime, index: indexOf(filter) });
  const shape = shapeOf(filter, { sort, byTime, isNarrowed });
  const values = valuesOf(filter);
  const rowsFrom = (part: Page, after: readonly KeyValue[] | undefined, isKeyed: boolean) => {
    const search = { order, sort, page: part, after, isKeyed, bounds: boundsOf(filter, byTime), fromBytes };
    if (located)
      return readPage<Taken>(queries, { ...search, slots: undefined }, (ofPage, own, more) =>
        locatedPages({ ...shape, ...ofPage })(
          { ...values, ...locationsOf(located), ...own },
          { ...options, ...more },
        ),
      );
    const { isTested } = shape;
    return readPage<Taken>(queries, { ...search, slots, isTested }, (ofPage, own, more) =>
      pages({ ...shape, ...ofPage })({ ...values, ...own }, { ...options, ...more }),
    );
  };
  return readList(queries, {
    atOnce: () => bookmarks.readRows(queries, { order: list.order, list: async () => list }, page, rowsFrom),
    async keys() {
      const near = located ? await besideRows(queries, () => [gatheredLocatedMessages(located)]) : queries;
      return bookmarks.read(near, list, page);
    },
    rowsOf: (keys) =>
      messagesOfRows<Taken>(
        queries,
        keys,
        { direction: filter.direction, slots: located ? spansAt(located) : slots },
        options,
      ),
  });
}

/** Whether no message matches: external messages to a contract have no sender, no lt and no time, and one side. */
function asksNothing({
  only_externals,
  exclude_externals,
  direction,
  source,
  ...bounds
}: MessageListFilter): boolean {
  return (
    only_externals === true &&
    (exclude_externals === true || direction === "out" || !!source || hasLts(bounds) || hasTimes(bounds))
  );
}

/** A filter by time with the same page, narrowed, as no index has its rows in order. */
function narrowedFilter(
  queries: Queries,
  filter: MessageListFilter,
  page: Page & { sort: Direction },
): Promise<MessageListFilter> {
  return narrowedToPage(queries, filter, page, (possible, count) =>
    timesInOrderOfLt(queries, possible, { limit: count, offset: 0, sort: page.sort }),
  );
}

async function timesInOrderOfLt(
  queries: Queries,
  filter: MessageListFilter,
  { sort, ...page }: Page & { sort: Direction },
): Promise<bigint[]> {
  const slots = await slotsOf(queries, filter);
  const order = { sort, byTime: false };
  const shape = shapeOf(filter, { ...order, isNarrowed: false });
  const values = valuesOf(filter);
  const { isTested } = shape;
  const fromBytes = ({ at }: BytesOf<{ at: string }>) => BigInt(latin1Text(at));
  const search = { order: byLt, sort, page, slots, bounds: boundsOf(filter, false), isTested, fromBytes };
  return readList(queries, {
    async atOnce() {
      const { rows } = await readPage<bigint>(queries, search, (ofPage, own, { fromBytes }) => ({
        ...times({ ...shape, ...ofPage })({ ...values, ...own }),
        ...{ fromBytes, isInOrder: true },
      }));
      return rows;
    },
    keys: () => readKeys(queries, messageKeys(filter, { ...order, slots, located: undefined }), page),
    rowsOf: async (keys) => keys.map(({ at }) => BigInt(at)),
  });
}

/** The slots that may have matching messages: bounds on the axis that a list is not sorted by narrow it too. */
async function slotsOf(queries: Queries, filter: MessageListFilter): Promise<KnownSlot[]> {
  const party = filter.source ?? filter.destination;
  const accounts = party ? [addressToBytes(party)] : undefined;
  const { opcode, body_hash: bodyHash } = filter;
  const isOfParty = accounts && opcode === undefined && !bodyHash;
  const known = isOfParty
    ? await countedSlots(queries, accounts)
    : await readSlots(queries, { accounts, opcode, bodyHash });
  return slotsWithin(known, boundsOf(filter, false));
}
