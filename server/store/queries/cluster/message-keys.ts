import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../../shared/values/lookups.js";
import { all, type Direction, type Fragment, within } from "../../sql/where.js";
import { boundsOf, type MessageListFilter } from "../messages/message-filter.js";
import { indexOf } from "../messages/message-indexes.js";
import { byLt, orderOf } from "../messages/message-statements.js";
import { isFirst, messageLt } from "../messages/message-texts.js";
import type { Located } from "../slots/located.js";
import { messagesAt } from "../slots/locators.js";
import type { OrderedList } from "../slots/offset-bookmarks.js";
import { afterValues, isBeside } from "../slots/slot-pages.js";
import { isLater, type Slot } from "../slots/slots.js";
import { messageConditions } from "../transactions/transaction-filter.js";
import { keysInOrder } from "./list-keys.js";
import type { MessageRowKey } from "./message-sides.js";

/** The row of a message, its place in the list, and its time. */
type MessageKey = MessageRowKey & { key: bigint; at: bigint | number };

type MessageListOptions = {
  sort: Direction;
  byTime: boolean;
  located: readonly Located[] | undefined;
  /** The slots that may have them. */
  slots: readonly Slot[];
};

/** The matching messages, or those of them that were located, as a list whose keys each node can be asked for. */
export function messageKeys(
  filter: MessageListFilter,
  { sort, byTime, located, slots }: MessageListOptions,
): OrderedList<MessageKey> {
  const order = orderOf({ byTime, index: indexOf(filter) });
  // A message may be named by both of its hashes.
  const rows = located && SQL`select distinct m.* from ${messagesAt(located)}`;
  const search = { order, sort, slots: located ? undefined : slots, bounds: boundsOf(filter, byTime) };
  const { by } = itemAt(order, 0);
  return {
    ...keysInOrder<MessageKey>(search, {
      ...{ table: "messages", rows, conditions: conditionsOf(filter, byTime ? messageLt : by), lt: "tx_lt" },
      columns: `msg_hash, ${by} as key, created_at as at, tx_hash, tx_lt, direction, source, destination`,
    }),
    // The later ones are few, whatever index would have the list.
    countLater: (later, { key, msg_hash }) => SQL`
      select count(*) from ${rows ? SQL`(${rows}) messages` : raw("messages")}
      where ${all(
        ...conditionsOf(filter, messageLt),
        isLater("tx_lt", "mc_seqno", later),
        isBeside("upTo", byTime ? order : byLt, sort, afterValues([key, msg_hash])),
      )}`,
  };
}

/** `lt`: the lt of a message in the words of an index. */
function conditionsOf(filter: MessageListFilter, lt: string): (Fragment | undefined)[] {
  const { exclude_externals, only_externals, start_lt, end_lt } = filter;
  return [
    filter.direction === undefined ? isFirst : undefined,
    ...messageConditions(filter),
    exclude_externals ? SQL`created_lt is not null` : undefined,
    only_externals ? SQL`created_lt is null` : undefined,
    within("created_at", filter.start_utime, filter.end_utime),
    within("created_lt", start_lt, end_lt),
    within(lt, start_lt, end_lt),
  ];
}
