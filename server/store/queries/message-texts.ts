import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../codes.js";
import type { Queries } from "../database.js";
import { maybeQuoted } from "../declare/json-text.js";
import type { Places } from "../fixed-text.js";
import { messageText } from "../tables/message-record.js";
import { code, type Direction, type Fragment, keyList, ordered, type Page } from "../where.js";
import { type Located, locationsOf, messagesIn } from "./locators.js";
import { type PageOptions, pageText } from "./page-extras.js";
import { type SlotStarts, type Span, slotStarts } from "./slots.js";
import { withContents } from "./transaction-text.js";

/** The logical time of any message, in the form of the indexes. */
export const messageLt = "coalesce(created_lt, tx_lt)";

/**
 * Whether a row is the first one of its message: the sender's, or the receiver's if the sender is not here. The
 * transaction of such a receiver begins a trace, whose id is its hash. Until neighbouring ranges are joined, the messages
 * between them have two first rows.
 */
export const isFirst: Fragment = SQL`(direction = ${code(directions, "out")} or trace_id = tx_hash)`;

/** The primary key of a row of messages. */
export type MessageRowKey = { tx_hash: Uint8Array; tx_lt: bigint; msg_hash: Uint8Array; direction: number };

/** `direction`: the only side that is shown. */
type Sides = { direction: (typeof directions)[number] | undefined };

/** Messages by the rows of one of their sides, in the order of these. `slots` are those that are known. */
export async function messagesOfRows<Taken>(
  queries: Queries,
  keys: readonly MessageRowKey[],
  { direction, slots }: Sides & { slots: readonly Span[] },
  options: PageOptions,
): Promise<Taken[]> {
  if (keys.length === 0) return [];
  const lts = keys.map(({ tx_lt }) => tx_lt);
  const values = {
    ...(await slotStarts(queries, lts, slots)),
    hashes: keys.map(({ msg_hash }) => msg_hash),
    transactions: keys.map(({ tx_hash }) => tx_hash),
    lts,
    directions: keys.map((key) => key.direction),
    hasBoth: direction === undefined,
  };
  return queries.query(ofRows(values, options));
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
    directions: direction ? [codeOf(directions, direction)] : [],
    hasBoth: direction === undefined,
  };
  return queries.query(ofLocated[sort](values, options));
}

/** Bounds of the lt of all rows, of which the first slot begins at `first`, and whether the other side is shown. */
type Scope = Pick<SlotStarts, "first" | "least" | "greatest"> & { hasBoth: boolean };

type Rows = SlotStarts & {
  hashes: readonly Uint8Array[];
  transactions: readonly Uint8Array[];
  lts: readonly bigint[];
  directions: readonly number[];
  hasBoth: boolean;
};

const ofRows = pageText<Rows>(
  (given) =>
    textsOf(
      SQL`unnest(
        ${keyList("bytea", given.hashes)}, ${keyList("bytea", given.transactions)}, ${keyList("bigint", given.lts)},
        ${keyList("integer", given.directions)}, ${keyList("bigint", given.starts)}
      ) with ordinality page(msg_hash, tx_hash, tx_lt, direction, slot, place)`,
      given,
      raw("page.place"),
    ),
  { tokens: true },
);

type Named = ReturnType<typeof locationsOf> & Page & { directions: readonly number[]; hasBoth: boolean };

const ofLocated = { asc: textsOfLocated("asc"), desc: textsOfLocated("desc") };

/** A message may be named by both of its hashes. */
function textsOfLocated(sort: Direction) {
  return pageText<Named>(
    (given) =>
      textsOf(
        SQL`(
          select distinct ${raw(messageLt)} as key, msg_hash, tx_hash, tx_lt, direction, wanted.slot
          from ${messagesIn(given)}
          where direction = any(${given.directions}::smallint[]) or ${given.hasBoth}::boolean and ${isFirst}
          order by ${ordered(sort, "key", "msg_hash")} limit ${given.limit} offset ${given.offset}) page`,
        given,
        ordered(sort, "page.key", "page.msg_hash"),
      ),
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

/**
 * The rows of both sides have the same message, so those of `page` are read, by primary key. The transaction on the other
 * side by msg_locator, then messages_by_hash of its slot.
 */
function textsOf(page: Fragment, given: Places<Scope>, order: Fragment): Fragment {
  return SQL`
    select ${listedText} as text,
      concat_ws(' ', wire_address(m.source), wire_address(m.destination)) as addresses,
      array[m.source, m.destination] as accounts
    from ${page}
    cross join lateral (
      select * from messages
      where tx_hash = page.tx_hash and tx_lt = page.tx_lt and msg_hash = page.msg_hash
        and direction = page.direction and tx_lt between ${given.least} and ${given.greatest} offset 0) m
    ${withContents("page.slot", { from: given.first, to: given.greatest })}
    left join lateral (
      select found.tx_hash
      from (select tx_lt from msg_locator where hash_prefix = hash_prefix(page.msg_hash) offset 0) located
      cross join lateral (
        select tx_hash from messages
        where tx_lt = located.tx_lt and msg_hash = page.msg_hash and direction <> page.direction
          and ${raw(messageLt)} = coalesce(m.created_lt, m.tx_lt) offset 0) found
      where ${given.hasBoth}::boolean and located.tx_lt <> page.tx_lt limit 1) other on true
    order by ${order}`;
}
