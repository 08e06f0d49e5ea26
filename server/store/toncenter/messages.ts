import SQL, { raw } from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import type { MessageListFilter } from "../queries/messages/message-filter.js";
import type { IndexReads } from "../reads/index-reads.js";
import { taking } from "../sql/row-bytes.js";
import {
  all,
  anyOf,
  type Direction,
  type Fragment,
  given,
  ordered,
  type Page,
  paged,
  within,
} from "../sql/where.js";
import { textsOfMessages } from "./transaction-texts.js";
import { addressValue, hashBytes, hashValue, isOneOfHashes } from "./values.js";

type MessageReads = Pick<IndexReads, "listMessages">;

export const messageReads: MessageReads = {
  listMessages: (queries, filter, page, _bookmarks, take) => {
    const hasBoth = filter.direction === undefined;
    const { text, values } = textsOfMessages(pageOf(filter, page), { hasBoth });
    return queries.query({ text, values, fromBytes: taking(take) });
  },
};

/** Inbound external messages have no time of their own and are sorted by their transactions. */
function pageOf(filter: MessageListFilter, { sort, ...page }: Page & { sort: Direction }): Fragment {
  const { start_utime, end_utime, start_lt, end_lt, source, only_externals, exclude_externals } = filter;
  const byTime = start_utime !== undefined || end_utime !== undefined;
  const isBounded = byTime || start_lt !== undefined || end_lt !== undefined;
  const conditions = all(...conditionsOf(filter));
  const upTo = page.offset + page.limit;
  const order = (...columns: string[]) => ordered(sort, ...columns, hashBytes("x.msg_hash"));
  const internal = SQL`(
    select x.*, ${raw(byTime ? "x.created_at" : "x.created_lt")} as place from messages x
    where x.created_lt is not null and ${conditions}
    order by ${order(byTime ? "x.created_at" : "x.created_lt")} limit ${upTo})`;
  const external = externals(filter, conditions, sort, upTo);
  const hasExternals = !exclude_externals && !isBounded && !source;
  const rows = only_externals
    ? hasExternals
      ? external
      : SQL`(select x.*, 0::bigint as place from messages x where false)`
    : hasExternals
      ? SQL`(${internal} union all ${external})`
      : internal;
  return SQL`select x.* from ${rows} x order by ${order("x.place")} ${paged(page)}`;
}

/** Their messages have no index in the order of transactions; the transactions have. `offset 0` keeps the join in that order. */
function externals(filter: MessageListFilter, conditions: Fragment, sort: Direction, upTo: number): Fragment {
  const { destination, msg_hash, body_hash, opcode } = filter;
  const order = (lt: string) => ordered(sort, lt, hashBytes("x.msg_hash"));
  if (msg_hash?.length || body_hash || opcode !== undefined)
    return SQL`(
    select x.*, x.tx_lt as place from messages x
    where x.created_lt is null and ${conditions} order by ${order("x.tx_lt")} limit ${upTo})`;
  return SQL`(
    select x.*, x.tx_lt as place from transactions t
    cross join lateral (
      select x.* from messages x
      where x.tx_hash = t.hash and x.tx_lt = t.lt and x.direction = 'in' and x.created_lt is null and ${conditions}
      offset 0) x
    where ${all(given(destination ?? undefined, (address) => SQL`t.account = ${addressValue(address)}`))}
    order by ${order("t.lt")} limit ${upTo})`;
}

function conditionsOf(filter: MessageListFilter): (Fragment | undefined)[] {
  return [
    filter.direction === undefined ? isFirst : SQL`x.direction = ${filter.direction}::msg_direction`,
    anyOf(
      filter.msg_hash,
      (hashes) =>
        SQL`(${isOneOfHashes("x.msg_hash", hashes)} or ${isOneOfHashes("x.msg_hash_norm", hashes)})`,
    ),
    given(filter.body_hash, (hash) => SQL`x.body_hash = ${hashValue(hash)}`),
    partyIs("x.source", filter.source),
    partyIs("x.destination", filter.destination),
    given(filter.opcode, (value) => SQL`x.opcode = ${value | 0}`),
    within("x.created_at", filter.start_utime, filter.end_utime),
    within("x.created_lt", filter.start_lt, filter.end_lt),
  ];
}

/**
 * Each message once: the side of its sender, if that is there. With a limit it is looked up by its hash, instead of all senders
 * being read at once.
 */
const isFirst = SQL`(x.direction = 'out' or x.source is null or coalesce((
  select false from messages o where o.msg_hash = x.msg_hash and o.direction = 'out' limit 1), true))`;

/** `null` stands for no address. */
function partyIs(column: string, address: Address | null | undefined): Fragment | undefined {
  if (address === undefined) return undefined;
  return address === null ? SQL`${raw(column)} is null` : SQL`${raw(column)} = ${addressValue(address)}`;
}
