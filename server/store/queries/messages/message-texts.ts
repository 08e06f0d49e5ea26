import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { maybeQuoted } from "../../declare/json-text.js";
import type { Places } from "../../fixed-text.js";
import { isHash } from "../../keys.js";
import { messageText } from "../../tables/message-record.js";
import { all, code, type Direction, empty, type Fragment, keyList, ordered, type Page } from "../../where.js";
import { type PageOptions, pageText } from "../accounts/page-extras.js";
import { besideRows, inPieces, isAtAnyOf, nearMessages, nearWithContents } from "../cluster/near-rows.js";
import { type Located, locateMessages, locationsOf, messagesIn } from "../slots/locators.js";
import { type SlotBounds, type Span, slotBounds } from "../slots/slots.js";
import { withContents } from "../transactions/transaction-text.js";

/** The logical time of any message, in the form of the indexes. */
export const messageLt = "coalesce(created_lt, tx_lt)";

/**
 * Whether a row is the first one of its message: the sender's, or the receiver's if the sender is not here. Until neighbouring
 * ranges are joined, the messages between them have two first rows.
 */
export const isFirst: Fragment = SQL`is_first`;

/** The columns that identify a row of messages. */
export type MessageRowKey = { tx_hash: Uint8Array; tx_lt: bigint; msg_hash: Uint8Array; direction: number };

/** `direction`: the only side that is shown. */
export type Sides = { direction: (typeof directions)[number] | undefined };

/** The same as values of a statement: the direction of the rows that are listed, or none if these are the first ones. */
export type SideValues = { directions: readonly number[]; hasBoth: boolean };

export function valuesOfSides({ direction }: Sides): SideValues {
  return { directions: direction ? [codeOf(directions, direction)] : [], hasBoth: direction === undefined };
}

/** The condition that a row of messages is listed. */
export function isListed({ directions, hasBoth }: Places<SideValues>): Fragment {
  return SQL`(direction = any(${directions}::smallint[]) or ${hasBoth}::boolean and ${isFirst})`;
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
    hasBoth: direction === undefined,
  };
  const near = await besideRows(queries, async () => {
    // Both sides are found by their hash, at the lt of either.
    const located = direction === undefined ? await locateMessages(queries, values.hashes) : [];
    const isNamed = SQL`m.msg_hash = any(${values.hashes}::bytea[])`;
    const isAtRow = SQL`m.tx_lt = any(${lts}::bigint[])`;
    return [
      ...nearWithContents(all(isNamed, isAtRow), values.first),
      ...(direction === undefined ? [nearMessages(all(isNamed, isAtAnyOf("m.tx_lt", located)))] : []),
    ];
  });
  return near.query(ofRows(values, options));
}

/** One page of the messages that have been located, or of those with this direction. */
export async function locatedMessages<Taken>(
  queries: Queries,
  located: readonly Located[],
  { direction, sort, ...page }: Sides & Page & { sort: Direction },
  options: PageOptions,
): Promise<Taken[]> {
  const values = {
    ...locationsOf(located),
    ...page,
    ...valuesOfSides({ direction }),
  };
  return queries.query(ofLocated[sort](values, options));
}

/** Starts of the slots of all rows, the greatest lt of these, and whether the other side is shown. */
type Scope = Pick<SlotBounds, "first" | "greatest"> & { hasBoth: boolean };

type Rows = SlotBounds & {
  hashes: readonly Uint8Array[];
  transactions: readonly Uint8Array[];
  lts: readonly bigint[];
  directions: readonly number[];
  hasBoth: boolean;
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

type Named = ReturnType<typeof locationsOf> & Page & SideValues;

const ofLocated = { asc: textsOfLocated("asc"), desc: textsOfLocated("desc") };

/** A message may be named by both of its hashes. */
function textsOfLocated(sort: Direction) {
  return pageText<Named>(
    (given) => {
      const page = SQL`(
        select distinct ${raw(messageLt)} as key, msg_hash, tx_hash, tx_lt, direction, wanted.slot
        from ${messagesIn(given)}
        where ${isListed(given)}
        order by ${ordered(sort, "key", "msg_hash")} limit ${given.limit} offset ${given.offset}) page`;
      const order = ordered(sort, "page.key", "page.msg_hash");
      return textsOf(rowsOf(page, given), { slot: { from: "page.slot" }, order }, given);
    },
    { tokens: true },
  );
}

const isReceived = `m.direction = ${code(directions, "in").sql}`;
const listedText: Fragment = raw(
  messageText({
    in_msg_tx_hash: maybeQuoted(`wire_hash(case when ${isReceived} then m.tx_hash else other.tx_hash end)`),
    out_msg_tx_hash: maybeQuoted(`wire_hash(case when ${isReceived} then other.tx_hash else m.tx_hash end)`),
  }),
);

/** The rows `m` of `page`, by messages_by_transaction. */
function rowsOf(page: Fragment, given: Places<Pick<SlotBounds, "least" | "greatest">>): Fragment {
  return SQL`
    ${page}
    cross join lateral (
      select * from messages
      where ${isHash("tx_hash", raw("page.tx_hash"))} and tx_lt = page.tx_lt and msg_hash = page.msg_hash
        and direction = page.direction and tx_lt between ${given.least} and ${given.greatest} offset 0) m`;
}

/** Start and, if known, end of the slot of a row: columns, and the greatest end. */
type SlotColumns = { from: string; to?: { column: string; last: unknown } };

/**
 * The texts of rows `m`; both sides have the same message. The transaction on the other side is mostly in the same slot:
 * messages_by_hash of that, then, if it is not there, msg_locator and messages_by_hash of its slot.
 */
export function textsOf(
  rows: Fragment,
  { slot, order }: { slot: SlotColumns; order: Fragment },
  given: Places<Scope>,
): Fragment {
  const isOther = SQL`
    ${isHash("msg_hash", raw("m.msg_hash"))} and direction <> m.direction and ${raw(messageLt)} = coalesce(m.created_lt, m.tx_lt)`;
  const near =
    slot.to &&
    SQL`
      select tx_hash from messages
      where tx_lt >= ${raw(slot.from)} and tx_lt < ${raw(slot.to.column)}
        and tx_lt >= ${given.first} and tx_lt < ${slot.to.last} and ${isOther}
      union all`;
  return SQL`
    select ${listedText} as text,
      concat_ws(' ', wire_address(m.source), wire_address(m.destination)) as addresses,
      array[m.source, m.destination] as accounts
    from ${rows}
    ${withContents(slot.from, { from: given.first, to: given.greatest })}
    left join lateral (
      select tx_hash from (
        ${near ?? empty}
        select found.tx_hash
        from (select tx_lt from msg_locator where hash_prefix = hash_prefix(m.msg_hash) offset 0) located
        cross join lateral (select tx_hash from messages where tx_lt = located.tx_lt and ${isOther} offset 0) found
        where located.tx_lt <> m.tx_lt
        limit 1) found
      where ${given.hasBoth}::boolean and m.source is not null and m.destination is not null) other on true
    order by ${order}`;
}
