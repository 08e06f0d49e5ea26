import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { maybeQuoted } from "../../declare/json-text.js";
import type { Places } from "../../sql/fixed-text.js";
import { isHash } from "../../sql/keys.js";
import { code, empty, type Fragment, keyList } from "../../sql/where.js";
import { messageText } from "../../tables/message-record.js";
import { type PageOptions, pageText } from "../accounts/page-extras.js";
import { inPieces } from "../cluster/beside-rows.js";
import { besideSides, type MessageRowKey } from "../cluster/message-sides.js";
import { endColumns, type ListOrder, type SlotPage } from "../slots/slot-pages.js";
import { type SlotBounds, type Span, slotBounds } from "../slots/slots.js";
import { withContents } from "../transactions/transaction-text.js";

/** The logical time of any message, in the form of the indexes. */
export const messageLt = "coalesce(created_lt, tx_lt)";
/** The same in the words of messages_by_lt, by which no list of some messages is read then. */
export const everyLt = "coalesce(created_lt, tx_lt, 0)";

/**
 * Whether a row is the first one of its message: the sender's, or the receiver's if the sender is not here. Until neighbouring
 * ranges are joined, the messages between them have two first rows.
 */
export const isFirst: Fragment = SQL`is_first`;

/** `direction`: the only side that is shown. */
type Sides = { direction: (typeof directions)[number] | undefined };

/** The codes of the sides that are shown. */
export type SideValues = { shown: readonly number[] };

export function shownSides(direction: Sides["direction"]): SideValues {
  return { shown: (direction ? [direction] : directions).map((side) => codeOf(directions, side)) };
}

/** Messages by the rows of one of their sides, in the order of these. `slots` are those that are known. */
export function messagesOfRows<Taken>(
  queries: Queries,
  keys: readonly MessageRowKey[],
  sides: Sides & { slots: readonly Span[] },
  options: PageOptions,
): Promise<Taken[]> {
  return inPieces(queries, keys, (piece) => readRows<Taken>(queries, piece, sides, options));
}

async function readRows<Taken>(
  queries: Queries,
  keys: readonly MessageRowKey[],
  { direction, slots }: Sides & { slots: readonly Span[] },
  options: PageOptions,
): Promise<Taken[]> {
  if (keys.length === 0) return [];
  const lts = keys.map(({ tx_lt }) => tx_lt);
  const values = {
    ...(await slotBounds(queries, lts, slots)),
    hashes: keys.map(({ msg_hash }) => msg_hash),
    transactions: keys.map(({ tx_hash }) => tx_hash),
    lts,
    directions: keys.map((key) => key.direction),
    ...shownSides(direction),
  };
  const gathered = await besideSides(queries, keys, { bounds: values, isWhole: direction === undefined });
  return gathered.query(ofRows(values, options));
}

/** Starts of the slots of all rows, the greatest lt of these, and the sides that are shown. */
type Scope = Pick<SlotBounds, "first" | "greatest"> & SideValues;

type Rows = SlotBounds &
  SideValues & {
    hashes: readonly Uint8Array[];
    transactions: readonly Uint8Array[];
    lts: readonly bigint[];
    directions: readonly number[];
  };

const ofRows = pageText<Rows>(
  (given) => {
    const page = SQL`unnest(
        ${keyList("bytea", given.hashes)}, ${keyList("bytea", given.transactions)}, ${keyList("bigint", given.lts)},
        ${keyList("integer", given.directions)}, ${keyList("bigint", given.starts)}, ${keyList("bigint", given.ends)}
      ) with ordinality page(msg_hash, tx_hash, tx_lt, direction, slot, slot_end, place)`;
    const slot = { from: "page.slot", to: { column: "page.slot_end", last: given.last } };
    return textsOf(rowsOf(page, given), { slot, order: raw("page.place") }, given);
  },
  { tokens: true },
);

const listedText: Fragment = raw(
  messageText({
    in_msg_tx_hash: maybeQuoted("wire_hash(side.received)"),
    out_msg_tx_hash: maybeQuoted("wire_hash(side.sent)"),
  }),
);

/** The rows `m` of `page`, by messages_by_transaction. */
export function rowsOf(page: Fragment, given: Places<Pick<SlotBounds, "least" | "greatest">>): Fragment {
  return SQL`
    ${page}
    cross join lateral (
      select * from messages
      where ${isHash("tx_hash", raw("page.tx_hash"))} and tx_lt = page.tx_lt and msg_hash = page.msg_hash
        and direction = page.direction and tx_lt between ${given.least} and ${given.greatest} offset 0) m`;
}

/** The first and, if known, the last lt of the slot of a row: columns, and the greatest last one. */
type SlotColumns = { from: string; to?: { column: string; last: unknown } };

/**
 * The hash of the transaction on the other side of row `m`, mostly in the same slot: messages_by_hash of that, then, if it is
 * not there, msg_locator and messages_by_hash of its slot.
 */
function otherSide(m: string, slot: SlotColumns, { first }: Places<Pick<Scope, "first">>): Fragment {
  const isOther = SQL`
    ${isHash("o.msg_hash", raw(`${m}.msg_hash`))} and o.direction <> ${raw(m)}.direction
    and coalesce(o.created_lt, o.tx_lt) = coalesce(${raw(m)}.created_lt, ${raw(m)}.tx_lt)`;
  const near =
    slot.to &&
    SQL`
      select o.tx_hash from messages o
      where o.tx_lt between ${raw(slot.from)} and ${raw(slot.to.column)}
        and o.tx_lt between ${first} and ${slot.to.last} and ${isOther}
      union all`;
  return SQL`
    select tx_hash from (
      ${near ?? empty}
      select found.tx_hash
      from (select tx_lt from msg_locator where hash_prefix = hash_prefix(${raw(m)}.msg_hash) offset 0) located
      cross join lateral (
        select o.tx_hash from messages o where o.tx_lt = located.tx_lt and ${isOther} offset 0) found
      where located.tx_lt <> ${raw(m)}.tx_lt
      limit 1) found`;
}

const received = code(directions, "in");
const sent = code(directions, "out");

/**
 * The condition that the message of a first row is listed by its side: a sender's row has the receiver's, and a receiver's
 * has none of the sender, whose row would be listed too.
 */
export function isOnSide(direction: (typeof directions)[number], given: Places<SlotPage>): Fragment {
  if (direction === "out") return SQL`direction = ${sent}`;
  const slot = { from: "part.slot", to: { column: "part.slot_end", last: given.greatest } };
  return SQL`(direction = ${received} and source is null
    or (direction = ${sent}) = exists (${otherSide("messages", slot, given)}))`;
}

type PageOfTexts = {
  slot: SlotColumns;
  order: Fragment;
  /** The order and the name of the rows of a page that tells where it ends, and how. */
  page?: { order: ListOrder; row: string; isKeyed: boolean; isTested: boolean };
};

/** The texts of rows `m`; both sides have the same message. */
export function textsOf(rows: Fragment, { slot, order, page }: PageOfTexts, given: Places<Scope>): Fragment {
  const accounts = SQL`array[m.source, m.destination]`;
  const hasOther = SQL`m.source is not null and m.destination is not null
    and (m.direction = ${received} and ${sent} = any(${given.shown}::smallint[])
      or m.direction = ${sent} and ${received} = any(${given.shown}::smallint[]))`;
  const sideOf = (side: Fragment) =>
    SQL`case when ${side} = any(${given.shown}::smallint[]) then
      case when m.direction = ${side} then m.tx_hash else other.tx_hash end end`;
  return SQL`
    select ${listedText} as text,
      concat_ws(' ', wire_address(m.source), wire_address(m.destination)) as addresses,
      ${page?.isTested ? SQL`case when not ${raw(page.row)}.is_cut then ${accounts} end` : accounts} as accounts
      ${page ? endColumns(page.order, page.row, page) : empty}
    from ${rows}
    ${withContents(slot.from, { from: given.first, to: given.greatest })}
    left join lateral (${otherSide("m", slot, given)}) other on ${hasOther}
    cross join lateral (select ${sideOf(received)} as received, ${sideOf(sent)} as sent) side
    order by ${order}`;
}
