import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  given,
  ordered,
  type Page,
  paged,
  plannedOnce,
  within,
} from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";
import type { PageOptions } from "../accounts/page-extras.js";
import { boundsOf, type MessageListFilter } from "../messages/message-filter.js";
import { isFirst, messageLt, messagesOfRows } from "../messages/message-texts.js";
import type { Located } from "../slots/located.js";
import { messagesAt } from "../slots/locators.js";
import type { OffsetBookmarks, OrderedList } from "../slots/offset-bookmarks.js";
import { behind, inSlots, windowsOf } from "../slots/slot-windows.js";
import { isLater, type Slot, spansAt } from "../slots/slots.js";
import { partyConditions } from "../transactions/transaction-filter.js";
import { besideRows } from "./beside-rows.js";
import { gatheredLocatedMessages } from "./gathered-rows.js";
import type { MessageRowKey } from "./message-sides.js";

/** The row of a message, and its place in the list, where `at` is 0 unless the time is asked for. */
type MessageKey = MessageRowKey & { key: bigint; at: bigint | number };

type MessageListOptions = {
  sort: Direction;
  byTime: boolean;
  located: readonly Located[] | undefined;
  /** The slots that may have them. */
  slots: readonly Slot[];
  /** Whether keys have their times though they are in the order of lt. */
  isByLt?: boolean;
};

/** The order of hashes, as messages_by_time has it. */
const hashInOrder = ["hash_prefix(msg_hash)", "msg_hash"] as const;

/** The matching messages, or those of them that were located, as a list whose keys each node can be asked for. */
export function messageKeys(
  filter: MessageListFilter,
  { sort, byTime, located, slots, isByLt = false }: MessageListOptions,
): OrderedList<MessageKey> {
  const time = byTime ? "created_at" : messageLt;
  const columns = SQL`
    msg_hash, ${raw(messageLt)} as key, ${raw(byTime || isByLt ? "created_at" : "0")} as at, tx_hash, tx_lt, direction, source, destination`;
  const found = (...more: (Fragment | undefined)[]) =>
    rowsFrom(located, columns, [...conditionsOf(filter), ...more]);
  const beside = (side: "behind" | "upTo", { msg_hash, key, at }: MessageKey) =>
    byTime
      ? compared(sort, side, [time, ...hashInOrder], [at, hashPrefix(msg_hash), msg_hash])
      : compared(sort, side, [time, "msg_hash"], [key, msg_hash]);
  const bounds = boundsOf(filter, byTime);
  const place = ({ key, at }: MessageKey) => (byTime ? BigInt(at) : key);
  return {
    order: [
      [byTime ? "at" : "key", "bigint"],
      ["msg_hash", "hash"],
    ],
    keys: (page, after, window) => {
      const rows = found(
        given(window, (known) => inSlots("tx_lt", known)),
        given(after, (key) => beside("behind", key)),
      );
      const order = byTime ? ordered(sort, "at", ...hashInOrder) : ordered(sort, "key", "msg_hash");
      return plannedOnce(SQL`${rows} order by ${order} ${paged(page)}`, located !== undefined);
    },
    ...(!located && {
      windows: {
        sort,
        place,
        of: (after) => windowsOf(slots, sort, behind(bounds, sort, after && place(after))),
      },
    }),
    countLater: (later, upTo) => SQL`
      select count(*) from (${found(isLater("tx_lt", "mc_seqno", later), beside("upTo", upTo))}) later`,
  };
}

type Places = {
  direction: MessageListFilter["direction"];
  located: readonly Located[] | undefined;
  /** The slots that may have them. */
  slots: readonly Slot[];
};

/** One page of a list of a divided index: keys first, then the rows at them. */
export async function messagesOfNodes<Taken>(
  queries: Queries,
  list: OrderedList<MessageKey>,
  page: Page,
  { direction, located, slots }: Places,
  bookmarks: OffsetBookmarks,
  options: PageOptions,
): Promise<Taken[]> {
  const gathered = located ? await besideRows(queries, () => [gatheredLocatedMessages(located)]) : queries;
  const keys = await bookmarks.read(gathered, list, page);
  return messagesOfRows(queries, keys, { direction, slots: located ? spansAt(located) : slots }, options);
}

/** The matching messages, or those of them that were located. */
function rowsFrom(
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
  const { source, destination, direction, only_externals, start_lt, end_lt } = filter;
  return [
    direction === undefined ? isFirst : SQL`direction = ${codeOf(directions, direction)}`,
    given(filter.body_hash, (hash) => isHash("body_hash", SQL`${hash}`)),
    ...partyConditions({ source, destination }),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    filter.exclude_externals ? SQL`created_lt is not null` : undefined,
    only_externals ? SQL`created_lt is null` : undefined,
    within("created_at", filter.start_utime, filter.end_utime),
    within("created_lt", start_lt, end_lt),
    // The same on the expression of the indexes.
    within(messageLt, start_lt, end_lt),
  ];
}
