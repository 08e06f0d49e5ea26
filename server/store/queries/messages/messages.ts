import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../../shared/values/address.js";
import { addressToBytes } from "../../address-bytes.js";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../keys.js";
import { type TakeText, taking } from "../../row-bytes.js";
import { hashPrefix } from "../../tables/directories.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  given,
  hasNone,
  hasTimes,
  ordered,
  type Page,
  paged,
  plannedOnce,
  type TimeBounds,
  within,
} from "../../where.js";
import type { PageExtras } from "../accounts/page-extras.js";
import { narrowedTimes } from "../blocks/block-times.js";
import { narrowedToPage } from "../blocks/page-times.js";
import { besideRows, nearLocatedMessages } from "../cluster/near-rows.js";
import { type Located, locateMessages, messagesAt } from "../slots/locators.js";
import { type OffsetBookmarks, type OrderedList, readKeys } from "../slots/offset-bookmarks.js";
import {
  type Axis,
  areWithoutGap,
  type Bounds,
  behind,
  inSlots,
  slotsWithin,
  windowsOf,
} from "../slots/slot-windows.js";
import { mayFollow, readSlots, type Span, spansAt } from "../slots/slots.js";
import { partyConditions } from "../transactions/transaction-filter.js";
import { type LtFilter, type Party, readByLt } from "./lt-messages.js";
import { isFirst, locatedMessages, type MessageRowKey, messageLt, messagesOfRows } from "./message-texts.js";

/** Members are named like the parameters; `null` stands for no address. */
export type MessageListFilter = TimeBounds & {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  source?: Address | null | undefined;
  destination?: Address | null | undefined;
  opcode?: number | undefined;
  direction?: (typeof directions)[number] | undefined;
  exclude_externals?: boolean | undefined;
  only_externals?: boolean | undefined;
};

/**
 * One page of messages: what `take` makes of their texts, which have cuts for the members read from their bodies. Each is
 * listed once although both sides are stored.
 */
export async function listMessages<Taken>(
  queries: Queries,
  filter: MessageListFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[]> {
  if (asksNothing(filter)) return [];
  const { msg_hash, direction } = filter;
  const options = { rows: page.limit, fromBytes: taking(take), extras };
  const located = msg_hash?.length ? await locateMessages(queries, msg_hash) : undefined;
  if (located?.length === 0) return [];
  // The nodes of a cluster are read by one form of a statement, and a page behind a cursor by the one that has keys.
  const isByKeys = page.cursor !== undefined || (await queries.isDivided?.()) === true;
  if (located && !isByKeys && hasNone(conditionsOnMessage(filter)))
    return locatedMessages(queries, located, { direction, sort, ...page }, options);
  const byLt = located || isByKeys || bookmarks.isFor(page) ? undefined : ltFilterOf(filter);
  const found = byLt && (await readByLt<Taken>(queries, byLt, { sort, ...page }, options));
  if (found) return found;
  const narrowed = located ? filter : await narrowedFilter(queries, filter, { sort, ...page });
  const list = await messageList(queries, narrowed, { sort, located });
  const near = located ? await besideRows(queries, () => [nearLocatedMessages(located)]) : queries;
  const keys = await bookmarks.read(near, list, page);
  return messagesOfRows(queries, keys, { direction, slots: list.slots }, options);
}

/** A filter with the same page: one by time narrowed, unless an index has its rows in order. */
async function narrowedFilter(
  queries: Queries,
  filter: MessageListFilter,
  page: Page & { sort: Direction },
): Promise<MessageListFilter> {
  if (!hasTimes(filter)) return filter;
  const { start_utime, end_utime, direction, exclude_externals, ...others } = filter;
  if (hasNone(conditionsOnMessage(others))) return filter;
  const { sort } = page;
  const narrowed = await narrowedTimes(queries, filter, { ofStored: false });
  return narrowedToPage(queries, narrowed, page, async (possible, count) => {
    const list = await messageList(queries, possible, { sort, located: undefined, isByLt: true });
    const keys = await readKeys(queries, list, { limit: count, offset: 0 });
    return keys.map(({ at }) => BigInt(at));
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
  const { start_utime, end_utime, start_lt, end_lt } = bounds;
  const isBounded = [start_utime, end_utime, start_lt, end_lt].some((bound) => bound !== undefined);
  return (
    only_externals === true && (exclude_externals === true || direction === "out" || !!source || isBounded)
  );
}

/** The filter, if it asks nothing of messages but their lt, their direction, and an account on one side. */
function ltFilterOf(filter: MessageListFilter): LtFilter | undefined {
  const { source, destination, direction, start_lt, end_lt, ...others } = filter;
  const isRoute = source !== undefined && destination !== undefined;
  if (isRoute || source === null || destination === null || !hasNone(conditionsOnMessage(others)))
    return undefined;
  return {
    party: partyOf("source", source) ?? partyOf("destination", destination),
    direction,
    start_lt,
    end_lt,
  };
}

function partyOf(column: Party["column"], address: Address | undefined): Party | undefined {
  return address && { column, address };
}

/** The order of hashes, as messages_by_time has it. */
const hashInOrder = ["hash_prefix(msg_hash)", "msg_hash"] as const;

/** The row of a message, and its place in the list, where `at` is 0 unless the time is asked for. */
type MessageKey = MessageRowKey & { key: bigint; at: bigint | number };

type MessageListOptions = {
  sort: Direction;
  located: readonly Located[] | undefined;
  /** Whether keys have their times, and are in the order of lt whether or not the filter has times. */
  isByLt?: boolean;
};

/**
 * The matching messages, or those of them that were located. An inbound external message has no time of its own and sorts
 * by its transaction; if two transactions accepted it, it is listed twice. By messages_by_lt, _by_time, _by_source,
 * _by_destination, _by_route, _by_opcode, _by_body, _by_hash, _by_norm_hash, or messages_of_nobody.
 */
async function messageList(
  queries: Queries,
  filter: MessageListFilter,
  { sort, located, isByLt = false }: MessageListOptions,
): Promise<OrderedList<MessageKey> & { slots: readonly Span[] }> {
  const byTime = !isByLt && hasTimes(filter);
  const time = byTime ? "created_at" : messageLt;
  const columns = SQL`
    msg_hash, ${raw(messageLt)} as key, ${raw(byTime || isByLt ? "created_at" : "0")} as at, tx_hash, tx_lt, direction`;
  const found = (...more: (Fragment | undefined)[]) =>
    rowsOf(located, columns, [...conditionsOf(filter), ...more]);
  const beside = (side: "behind" | "upTo", { msg_hash, key, at }: MessageKey) =>
    byTime
      ? compared(sort, side, [time, ...hashInOrder], [at, hashPrefix(msg_hash), msg_hash])
      : compared(sort, side, [time, "msg_hash"], [key, msg_hash]);
  const party = filter.source ?? filter.destination;
  const accounts = party ? [addressToBytes(party)] : undefined;
  const { opcode, body_hash: bodyHash } = filter;
  const known = located ? [] : await readSlots(queries, { accounts, opcode, bodyHash });
  // Bounds on the axis that the list is not sorted by narrow it too.
  const slots = slotsWithin(known, boundsOf(filter, false));
  const bounds = boundsOf(filter, byTime);
  const place = ({ key, at }: MessageKey) => (byTime ? BigInt(at) : key);
  const isByLtOnly = hasNone(conditionsButLt(filter));
  return {
    slots: located ? spansAt(located) : known,
    order: [
      [byTime ? "at" : "key", "bigint"],
      ["msg_hash", "hash"],
    ],
    keys: (page, after, slots) => {
      const rows = found(
        given(slots, (known) => inSlots("tx_lt", known)),
        given(after, (key) => beside("behind", key)),
      );
      const order = byTime
        ? ordered(sort, "at", ...hashInOrder)
        : ordered(sort, ...keyOf(filter), "key", "msg_hash");
      // Either they are named, or one index has them in this order: messages_by_lt.
      const hasOnePlan = located !== undefined || (isByLtOnly && areWithoutGap(slots));
      return { ...plannedOnce(SQL`${rows} order by ${order} ${paged(page)}`, hasOnePlan), isInOrder: isByLt };
    },
    ...(!located && {
      windows: {
        sort,
        place,
        of: (after) => windowsOf(slots, sort, behind(bounds, sort, after && place(after))),
      },
    }),
    countLater: (seqno, upTo) => SQL`
      select count(*) from (${found(SQL`mc_seqno > ${seqno}`, mayFollow("tx_lt", seqno), beside("upTo", upTo))}) later`,
  };
}

/** The planner takes an index to be in the order of its second column only if the first one equals something; null does not. */
function keyOf({ source, destination, opcode, body_hash }: MessageListFilter): string[] {
  const isByNone =
    destination === null && source === undefined && opcode === undefined && body_hash === undefined;
  return isByNone ? ["account_key(destination)"] : [];
}

function boundsOf(
  { start_utime, end_utime, start_lt, end_lt }: MessageListFilter,
  byTime: boolean,
): Bounds & { axis: Axis } {
  if (!byTime) return { axis: "message_lt", from: start_lt, to: end_lt };
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: toBigint(start_utime), to: toBigint(end_utime) };
}

/** The matching messages, or those of them that were located. */
function rowsOf(
  located: readonly Located[] | undefined,
  columns: Fragment,
  conditions: readonly (Fragment | undefined)[],
): Fragment {
  if (!located) return SQL`select ${columns} from messages where ${all(...conditions)}`;
  // A message may be named by both of its hashes.
  return SQL`select * from (
    select distinct ${columns} from ${messagesAt(located)} where ${all(...conditions)}) found`;
}

function conditionsOf(filter: MessageListFilter): (Fragment | undefined)[] {
  const { direction } = filter;
  return [
    direction === undefined ? isFirst : SQL`direction = ${codeOf(directions, direction)}`,
    ...conditionsOnMessage(filter),
  ];
}

/** Conditions that hold for the rows of both sides or for neither. */
function conditionsOnMessage(filter: MessageListFilter): (Fragment | undefined)[] {
  return [...conditionsButLt(filter), ...ltConditions(filter)];
}

function conditionsButLt(filter: MessageListFilter): (Fragment | undefined)[] {
  const { source, destination, only_externals } = filter;
  return [
    given(filter.body_hash, (hash) => isHash("body_hash", SQL`${hash}`)),
    // For messages_of_nobody and messages_by_route: no external message has a source.
    ...partyConditions({ destination, source: only_externals ? (source ?? null) : source }),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    filter.exclude_externals ? SQL`created_lt is not null` : undefined,
    only_externals ? SQL`created_lt is null` : undefined,
    within("created_at", filter.start_utime, filter.end_utime),
  ];
}

/** The second one is the same condition on the expression of the indexes. */
function ltConditions({ start_lt, end_lt }: MessageListFilter): (Fragment | undefined)[] {
  return [within("created_lt", start_lt, end_lt), within(messageLt, start_lt, end_lt)];
}
