import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { codeOf, directions } from "../codes.js";
import type { Queries } from "../database.js";
import { maybeQuoted } from "../declare/json-text.js";
import { messageText } from "../tables/message-record.js";
import {
  all,
  anyOf,
  compared,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  keyList,
  ordered,
  type Page,
  paged,
  within,
} from "../where.js";
import type { OffsetBookmarks, OrderedList } from "./offset-bookmarks.js";
import { withContents } from "./transaction-text.js";

/** The text of a message with cuts for the members read from its body, and its raw addresses, separated by blanks. */
export type MessageText = { text: string; addresses: string };

/** Members are named like the parameters; `null` stands for no address. */
export type MessageListFilter = {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  source?: Address | null | undefined;
  destination?: Address | null | undefined;
  opcode?: number | undefined;
  direction?: (typeof directions)[number] | undefined;
  exclude_externals?: boolean | undefined;
  only_externals?: boolean | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

/** One page of messages. Each is listed once although both sides are stored; sides are read by messages_by_hash. */
export async function listMessages(
  queries: Queries,
  filter: MessageListFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
): Promise<MessageText[]> {
  const keys = await bookmarks.read(queries, messageList(filter, sort), page);
  return keys.length === 0 ? [] : read(queries, keys, filter.direction);
}

/** `at` is 0 if the list is not ordered by time. */
type MessageKey = { msg_hash: Uint8Array; key: bigint; at: bigint | number };

/**
 * The matching messages. An inbound external message has no time of its own and sorts by its transaction; if two
 * transactions accepted it, it is listed twice. By messages_by_lt, _by_time, _by_source, _by_destination, _by_opcode, _by_body,
 * _by_hash and _by_norm_hash.
 */
function messageList(filter: MessageListFilter, sort: Direction): OrderedList<MessageKey> {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const time = byTime ? "created_at" : lt;
  const columns = SQL`msg_hash, ${raw(lt)} as key, ${raw(byTime ? "created_at" : "0")} as at`;
  const conditions = conditionsOf(filter);
  const found = (...more: (Fragment | undefined)[]) =>
    SQL`${rowsOf(filter, columns, [...conditions, ...more])} group by msg_hash, key, at`;
  const beside = (side: "behind" | "upTo", { msg_hash, key, at }: MessageKey) =>
    compared(sort, side, [time, "msg_hash"], [byTime ? at : key, msg_hash]);
  return {
    keys: (page, after) => SQL`${found(given(after, (key) => beside("behind", key)))}
      order by ${ordered(sort, byTime ? "at" : "key", "msg_hash")} ${paged(page)}`,
    // The other side of a message may have been stored before.
    countLater: (seqno, upTo) => SQL`
      select count(*) from (${found(SQL`mc_seqno > ${seqno}`, beside("upTo", upTo))}) later
      where not exists (
        select from messages where ${all(
          ...conditions,
          hashCondition(filter),
          SQL`msg_hash = later.msg_hash and ${raw(lt)} = later.key and mc_seqno <= ${seqno}`,
        )})`,
  };
}

/** Separate from the search for the keys: a constant text is planned once. */
async function read(
  queries: Queries,
  keys: readonly MessageKey[],
  direction: MessageListFilter["direction"],
): Promise<MessageText[]> {
  const text = messageText({
    in_msg_tx_hash: transactionOf("in", direction),
    out_msg_tx_hash: transactionOf("out", direction),
  });
  const hashes = keys.map(({ msg_hash }) => msg_hash);
  const lts = keys.map(({ key }) => key);
  return queries.query<MessageText>(SQL`
    select ${raw(text)} as text,
      concat_ws(' ', wire_address(m.source), wire_address(m.destination)) as addresses
    from unnest(${keyList("bytea", hashes)}, ${keyList("bigint", lts)}) with ordinality page(msg_hash, key, place)
    cross join lateral (
      select m.* from messages m
      where m.msg_hash = page.msg_hash and coalesce(m.created_lt, m.tx_lt) = page.key
      order by m.direction limit 1
    ) m
    ${withContents}
    order by page.place`);
}

/** The transaction on one side; null if the filter excludes that side. */
function transactionOf(side: (typeof directions)[number], direction: MessageListFilter["direction"]): string {
  if (direction !== undefined && direction !== side) return "null::text";
  return maybeQuoted(`(select wire_hash(s.tx_hash) from messages s
    where s.msg_hash = page.msg_hash and coalesce(s.created_lt, s.tx_lt) = page.key
      and s.direction = ${codeOf(directions, side)} limit 1)`);
}

/** The logical time of any message, in the form of the indexes. */
const lt = "coalesce(created_lt, tx_lt)";

function rowsOf(
  { msg_hash: hashes }: MessageListFilter,
  columns: Fragment,
  conditions: readonly (Fragment | undefined)[],
): Fragment {
  if (!hashes || hashes.length === 0) return SQL`select ${columns} from messages where ${all(...conditions)}`;
  return SQL`select msg_hash, key, at from (
    select ${columns} from messages where ${all(isOneOf("msg_hash", hashes), ...conditions)}
    union all
    select ${columns} from messages where ${all(isOneOf("msg_hash_norm", hashes), ...conditions)}) found`;
}

function hashCondition({ msg_hash }: MessageListFilter): Fragment | undefined {
  return anyOf(
    msg_hash,
    (hashes) => SQL`(${isOneOf("msg_hash", hashes)} or ${isOneOf("msg_hash_norm", hashes)})`,
  );
}

function conditionsOf(filter: MessageListFilter): (Fragment | undefined)[] {
  return [
    given(filter.body_hash, (hash) => SQL`body_hash = ${hash}`),
    addressCondition("source", filter.source),
    addressCondition("destination", filter.destination),
    given(filter.opcode, (value) => SQL`opcode = ${value | 0}`),
    given(filter.direction, (side) => SQL`direction = ${codeOf(directions, side)}`),
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
