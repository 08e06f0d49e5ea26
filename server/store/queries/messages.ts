import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { codeOf, directions } from "../codes.js";
import type { Queries, Statement } from "../database.js";
import { maybeQuoted } from "../declare/json-text.js";
import { fixedText } from "../fixed-text.js";
import { type TakeText, taking } from "../row-bytes.js";
import { messageText } from "../tables/message-record.js";
import {
  all,
  code,
  compared,
  type Direction,
  type Fragment,
  given,
  greatest,
  keyList,
  least,
  ordered,
  type Page,
  paged,
  plannedOnce,
  type TimeBounds,
  within,
} from "../where.js";
import { type Located, locateMessages, messagesAt } from "./locators.js";
import type { OffsetBookmarks, OrderedList } from "./offset-bookmarks.js";
import { type Axis, type Bounds, behind, inSlots, slotsWithin, windowsOf } from "./slot-windows.js";
import { mayFollow, readSlots, type Span, slotStarts, spansAt } from "./slots.js";
import { withContents } from "./transaction-text.js";

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
): Promise<Taken[]> {
  const list = await messageList(queries, filter, sort);
  if (!list) return [];
  const keys = await bookmarks.read(queries, list, page);
  return keys.length === 0
    ? []
    : queries.query(taking(await textsAt(queries, keys, filter.direction, list.slots), take));
}

/** Its place in the list, where `at` is 0 if that is not ordered by time, and the rest of the primary key of its row. */
type MessageKey = {
  msg_hash: Uint8Array;
  key: bigint;
  at: bigint | number;
  tx_hash: Uint8Array;
  tx_lt: bigint;
  direction: number;
};

/**
 * The matching messages; `undefined` if none has the hashes. An inbound external message has no time of its own and sorts
 * by its transaction; if two transactions accepted it, it is listed twice. By messages_by_lt, _by_time, _by_source,
 * _by_destination, _by_route, _by_opcode, _by_body, _by_hash and _by_norm_hash.
 */
async function messageList(
  queries: Queries,
  filter: MessageListFilter,
  sort: Direction,
): Promise<(OrderedList<MessageKey> & { slots: readonly Span[] }) | undefined> {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const time = byTime ? "created_at" : lt;
  const columns = SQL`
    msg_hash, ${raw(lt)} as key, ${raw(byTime ? "created_at" : "0")} as at, tx_hash, tx_lt, direction`;
  const located = filter.msg_hash?.length ? await locateMessages(queries, filter.msg_hash) : undefined;
  if (located?.length === 0) return undefined;
  const found = (...more: (Fragment | undefined)[]) =>
    rowsOf(located, columns, [...conditionsOf(filter), ...more]);
  const beside = (side: "behind" | "upTo", { msg_hash, key, at }: MessageKey) =>
    compared(sort, side, [time, "msg_hash"], [byTime ? at : key, msg_hash]);
  const party = filter.source ?? filter.destination;
  const accounts = party ? [addressToBytes(party)] : undefined;
  const { opcode, body_hash: bodyHash } = filter;
  const known = located ? [] : await readSlots(queries, { accounts, opcode, bodyHash });
  // Bounds on the axis that the list is not sorted by narrow it too.
  const slots = slotsWithin(known, boundsOf(filter, false));
  const bounds = boundsOf(filter, byTime);
  const place = ({ key, at }: MessageKey) => (byTime ? BigInt(at) : key);
  return {
    slots: located ? spansAt(located) : known,
    keys: (page, after, slots) => {
      const rows = found(
        given(slots, (known) => inSlots("tx_lt", known)),
        given(after, (key) => beside("behind", key)),
      );
      const order = ordered(sort, byTime ? "at" : "key", "msg_hash");
      return plannedOnce(SQL`${rows} order by ${order} ${paged(page)}`, located !== undefined);
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

function boundsOf(
  { start_utime, end_utime, start_lt, end_lt }: MessageListFilter,
  byTime: boolean,
): Bounds & { axis: Axis } {
  if (!byTime) return { axis: "message_lt", from: start_lt, to: end_lt };
  const toBigint = (value: number | undefined) => (value === undefined ? undefined : BigInt(value));
  return { axis: "utime", from: toBigint(start_utime), to: toBigint(end_utime) };
}

/** Their texts, with the transactions on both sides unless only one `direction` is wanted. */
async function textsAt(
  queries: Queries,
  keys: readonly MessageKey[],
  direction: MessageListFilter["direction"],
  slots: readonly Span[],
): Promise<Statement> {
  const lts = keys.map(({ tx_lt }) => tx_lt);
  const starts = await slotStarts(queries, lts, slots);
  return byKeys({
    hashes: keys.map(({ msg_hash }) => msg_hash),
    transactions: keys.map(({ tx_hash }) => tx_hash),
    lts,
    directions: keys.map((key) => key.direction),
    starts: lts.map(starts.of),
    withOther: direction === undefined,
    first: starts.first,
    least: least(lts),
    greatest: greatest(lts),
  });
}

const isReceived = `m.direction = ${code(directions, "in").sql}`;

const listedText: Fragment = raw(
  messageText({
    in_msg_tx_hash: maybeQuoted(`wire_hash(case when ${isReceived} then m.tx_hash else other.tx_hash end)`),
    out_msg_tx_hash: maybeQuoted(`wire_hash(case when ${isReceived} then other.tx_hash else m.tx_hash end)`),
  }),
);

/** Rows of either side have the same message. The other side by msg_locator, then messages_by_hash of its slot. */
const byKeys = fixedText<{
  hashes: readonly Uint8Array[];
  transactions: readonly Uint8Array[];
  lts: readonly bigint[];
  directions: readonly number[];
  starts: readonly bigint[];
  withOther: boolean;
  first: bigint;
  least: bigint;
  greatest: bigint;
}>(
  (given) => SQL`
    select ${listedText} as text,
      concat_ws(' ', wire_address(m.source), wire_address(m.destination)) as addresses
    from unnest(
      ${keyList("bytea", given.hashes)}, ${keyList("bytea", given.transactions)}, ${keyList("bigint", given.lts)},
      ${keyList("integer", given.directions)}, ${keyList("bigint", given.starts)}
    ) with ordinality page(msg_hash, tx_hash, tx_lt, direction, from_lt, place)
    cross join lateral (
      select * from messages
      where tx_hash = page.tx_hash and tx_lt = page.tx_lt and msg_hash = page.msg_hash
        and direction = page.direction and tx_lt between ${given.least} and ${given.greatest} offset 0) m
    ${withContents("page.from_lt", { from: given.first, to: given.greatest })}
    left join lateral (
      select found.tx_hash
      from (select tx_lt from msg_locator where hash_prefix = hash_prefix(page.msg_hash) offset 0) located
      cross join lateral (
        select tx_hash from messages
        where tx_lt = located.tx_lt and msg_hash = page.msg_hash and direction <> page.direction
          and coalesce(created_lt, tx_lt) = coalesce(m.created_lt, m.tx_lt) offset 0) found
      where ${given.withOther}::boolean and located.tx_lt <> page.tx_lt limit 1) other on true
    order by page.place`,
);

/**
 * Whether a row is the first one of its message: the sender's, or the receiver's if the sender is not here. The
 * transaction of such a receiver begins a trace, whose id is its hash. Until neighbouring ranges are joined, the messages
 * between them have two first rows.
 */
const isFirst: Fragment = SQL`(direction = ${code(directions, "out")} or trace_id = tx_hash)`;

/** The logical time of any message, in the form of the indexes. */
const lt = "coalesce(created_lt, tx_lt)";

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
  return [
    given(filter.body_hash, (hash) => SQL`body_hash = ${hash}`),
    addressCondition("source", filter.source),
    addressCondition("destination", filter.destination),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    filter.direction === undefined ? isFirst : SQL`direction = ${codeOf(directions, filter.direction)}`,
    filter.exclude_externals ? SQL`created_lt is not null` : undefined,
    filter.only_externals ? SQL`created_lt is null` : undefined,
    within("created_at", filter.start_utime, filter.end_utime),
    within("created_lt", filter.start_lt, filter.end_lt),
    // The same condition on the expression of the indexes.
    filter.start_lt === undefined && filter.end_lt === undefined
      ? undefined
      : within(lt, filter.start_lt, filter.end_lt),
  ];
}

function addressCondition(column: string, address: Address | null | undefined): Fragment | undefined {
  if (address === undefined) return undefined;
  if (address === null) return SQL`${raw(column)} is null`;
  return SQL`${raw(column)} = ${addressToBytes(address)}`;
}
