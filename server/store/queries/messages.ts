import sql, { raw } from "sql-template-tag";
import type { z } from "zod";
import type { message } from "../../../shared/schema/v3-transactions.js";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { codeOf, directions } from "../codes.js";
import type { Queries } from "../database.js";
import { all, type Direction, type Fragment, given, ordered, type Page, paged, within } from "../where.js";
import { messageJson, withContents } from "./message-json.js";

/** As answered, but for what the body says; members that answers leave out are null. */
export type MessageRecord = z.output<typeof message>;

/** Named like the parameters; `null` stands for no address. */
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

/**
 * One page of messages, each once although both sides are stored. An external message to a contract has no time of its
 * own and sorts as its transaction; accepted by two, it counts as two. By messages_by_lt, _by_time, _by_source,
 * _by_destination, _by_opcode, _by_body, _by_hash and _by_norm_hash; the sides of a message by messages_by_hash.
 */
export async function listMessages(
  queries: Queries,
  filter: MessageListFilter,
  { sort, ...page }: Page & { sort: Direction },
): Promise<MessageRecord[]> {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const time = raw(byTime ? "created_at" : "0");
  const columns = sql`msg_hash, coalesce(created_lt, tx_lt) as key, ${time} as at`;
  const keys = await queries.query<Key>(sql`
    select msg_hash, key from (${keysOf(filter, columns)} group by msg_hash, key, at
      order by ${ordered(sort, byTime ? "at" : "key", "msg_hash")} ${paged(page)}) page
    order by ${ordered(sort, byTime ? "page.at" : "page.key", "page.msg_hash")}`);
  return keys.length === 0 ? [] : read(queries, keys, filter.direction);
}

type Key = { msg_hash: Uint8Array; key: bigint };

/** Apart from the search for the keys, since what is always the same is planned once. */
async function read(
  queries: Queries,
  keys: readonly Key[],
  direction: MessageListFilter["direction"],
): Promise<MessageRecord[]> {
  const rows = await queries.query<{ message: MessageRecord }>(sql`
    select ${messageJson(sql`
      'in_msg_tx_hash', ${transactionOf("in", direction)},
      'out_msg_tx_hash', ${transactionOf("out", direction)},`)} as message
    from unnest(${keys.map(({ msg_hash }) => msg_hash)}::bytea[], ${keys.map(({ key }) => key)}::bigint[])
      with ordinality page(msg_hash, key, place)
    cross join lateral (
      select m.* from messages m
      where m.msg_hash = page.msg_hash and coalesce(m.created_lt, m.tx_lt) = page.key
      order by m.direction limit 1
    ) m
    ${withContents}
    order by page.place`);
  return rows.map(({ message }) => message);
}

/** The transaction on one side, where the filter did not leave that side out. */
function transactionOf(
  side: (typeof directions)[number],
  direction: MessageListFilter["direction"],
): Fragment {
  if (direction !== undefined && direction !== side) return raw("null");
  return sql`(select wire_hash(s.tx_hash) from messages s
    where s.msg_hash = page.msg_hash and coalesce(s.created_lt, s.tx_lt) = page.key
      and s.direction = ${raw(String(codeOf(directions, side)))} limit 1)`;
}

function keysOf(filter: MessageListFilter, columns: Fragment): Fragment {
  const conditions = conditionsOf(filter);
  if (!filter.msg_hash || filter.msg_hash.length === 0)
    return sql`select ${columns} from messages where ${all(...conditions)}`;
  const { msg_hash: hashes } = filter;
  return sql`select msg_hash, key, at from (
    select ${columns} from messages where ${all(sql`msg_hash = any(${hashes})`, ...conditions)}
    union all
    select ${columns} from messages where ${all(sql`msg_hash_norm = any(${hashes})`, ...conditions)}) found`;
}

function conditionsOf(filter: MessageListFilter): (Fragment | undefined)[] {
  return [
    given(filter.body_hash, (hash) => sql`body_hash = ${hash}`),
    addressCondition("source", filter.source),
    addressCondition("destination", filter.destination),
    given(filter.opcode, (value) => sql`opcode = ${value | 0}`),
    given(filter.direction, (side) => sql`direction = ${codeOf(directions, side)}`),
    filter.exclude_externals ? sql`created_lt is not null` : undefined,
    filter.only_externals ? sql`created_lt is null` : undefined,
    within("created_at", filter.start_utime, filter.end_utime),
    within("created_lt", filter.start_lt, filter.end_lt),
    // The same once more in the words of the index.
    filter.start_lt === undefined && filter.end_lt === undefined
      ? undefined
      : within("coalesce(created_lt, tx_lt)", filter.start_lt, filter.end_lt),
  ];
}

function addressCondition(column: string, address: Address | null | undefined): Fragment | undefined {
  if (address === undefined) return undefined;
  if (address === null) return sql`${raw(column)} is null`;
  return sql`${raw(column)} = ${addressToBytes(address)}`;
}
