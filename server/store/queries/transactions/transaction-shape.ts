import { bytesEqual } from "../../../../shared/values/bytes.js";
import { addressToBytes } from "../../address-bytes.js";
import type { Places } from "../../sql/fixed-text.js";
import type { Direction } from "../../sql/where.js";
import {
  filtersBeside,
  type IndexedFilter,
  indexOf,
  type MessageIndex,
} from "../messages/message-indexes.js";
import { accountOfMessage } from "../slots/locators.js";
import type { OrderedList } from "../slots/offset-bookmarks.js";
import type { ListOrder, PageShape, PageValues } from "../slots/slot-pages.js";
import type { TransactionFilter } from "./transaction-filter.js";
import { orders, type TransactionKey } from "./transaction-search.js";

/** A filter, the only accounts that are wanted, and the direction of the list. */
export type Asked = {
  filter: TransactionFilter;
  accounts: readonly Uint8Array[] | undefined;
  sort: Direction;
};

export const blockFilters = ["workchain", "shard"] as const;

/** Of each account: its own rows of messages from or to another one, or with an opcode. */
const accountLeads = ["account source", "account destination", "account opcode"] as const;
/** Which index leads to the rows: one of messages, in the order of their transactions, or one of transactions. */
type Lead = MessageIndex | (typeof accountLeads)[number] | "account" | "shard" | "all";

export function leadOf({ filter, accounts }: Pick<Asked, "filter" | "accounts">): Lead {
  const { source, destination, opcode } = filter;
  const byMessages = indexOf(filter);
  if (!accounts) return byMessages ?? "all";
  const party = source ?? destination;
  // Messages of the accounts with themselves and with others have no index in common.
  if (
    (source && destination) ||
    (party && accounts.some((account) => bytesEqual(account, addressToBytes(party))))
  )
    return byMessages ?? "all";
  if (party) return source ? "account source" : "account destination";
  return opcode === undefined ? "account" : "account opcode";
}

export function isByMessages(lead: Lead): boolean {
  return lead !== "account" && lead !== "shard" && lead !== "all";
}

export type ListShape = {
  sort: Direction;
  byTime: boolean;
  /** Whether the lt are those of the page already, so that its rows are sorted. */
  isNarrowed: boolean;
  lead: Lead;
  messageFilters: readonly IndexedFilter[];
  direction: TransactionFilter["direction"];
  hasLts: boolean;
  hasTimes: boolean;
  hasAccounts: boolean;
  excludes: boolean;
  ofBlocks: readonly (typeof blockFilters)[number][];
};

/** The shape of a statement. */
export type Shape = ListShape & PageShape;

export type FilterValues = {
  accounts: readonly Uint8Array[];
  excluded: readonly Uint8Array[];
  workchains: readonly number[];
  shards: readonly bigint[];
  workchain: number | null;
  shard: bigint | null;
  from: bigint;
  to: bigint;
  since: number;
  until: number;
  source: Uint8Array | null;
  destination: Uint8Array | null;
  opcode: number | null;
  body_hash: Uint8Array | null;
};
export type Values = FilterValues & PageValues;
export type Given = Places<Values>;

/** The members of keys in cursors and bookmarks. */
export function keyTypes(byTime: boolean): OrderedList<TransactionKey>["order"] {
  return orders[byTime ? "byTime" : "byLt"].map((column) => [
    column,
    column === "account" ? "account" : "bigint",
  ]);
}

/** The orders of rows with these columns. */
function ordersOf(now: string, lt: string, account: string) {
  const byLt: ListOrder = [
    { name: "lt", by: lt, type: "bigint" },
    { name: "account", by: account, type: "account" },
  ];
  const byTime: ListOrder = [{ name: "now", by: now, type: "bigint" }, ...byLt];
  return { byLt, byTime };
}

const rowOrders = ordersOf("now", "lt", "account");
export const ownAccount = accountOfMessage.sql;
/** Rows `m` of messages have the orders of their transactions. */
const messageOrders = ordersOf("m.now", "m.tx_lt", ownAccount);

export function orderOf({ byTime, lead }: Pick<Shape, "byTime" | "lead">): ListOrder {
  return (isByMessages(lead) ? messageOrders : rowOrders)[byTime ? "byTime" : "byLt"];
}

/** The filters by messages that the index does not have, in words for which the planner has no index. */
export function otherMessages({ lead, messageFilters }: Pick<ListShape, "lead" | "messageFilters">) {
  return filtersBeside(lead, messageFilters);
}

/** Whether rows that the index finds are looked at one by one, up to a bound. */
export function isTested(shape: ListShape): boolean {
  const { isNarrowed, lead, hasAccounts, excludes, ofBlocks: blocks } = shape;
  const isOfOthers = hasAccounts && !lead.startsWith("account");
  const areTested = isOfOthers || excludes || blocks.length > 0 || otherMessages(shape).length > 0;
  return areTested && !isNarrowed;
}
