import sql, { raw } from "sql-template-tag";
import type { z } from "zod";
import type { transaction } from "../../../shared/schema/v3-transactions.js";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { codeOf, directions } from "../codes.js";
import type { Queries } from "../database.js";
import {
  all,
  anyOf,
  capped,
  type Direction,
  type Fragment,
  given,
  ordered,
  type Page,
  paged,
  within,
} from "../where.js";
import { transactionJson, withStates } from "./transaction-json.js";

/** As answered, but for what the messages say. */
export type TransactionRecord = z.output<typeof transaction>;

/** What a message of a transaction has to be like. */
export type MessageFilter = {
  msg_hash?: readonly Uint8Array[] | undefined;
  body_hash?: Uint8Array | undefined;
  opcode?: number | undefined;
  source?: Address | undefined;
  destination?: Address | undefined;
  direction?: (typeof directions)[number] | undefined;
};

/** Named like the parameters; what is not given is not asked for. */
export type TransactionFilter = MessageFilter & {
  workchain?: number | undefined;
  shard?: bigint | undefined;
  seqno?: number | undefined;
  mc_seqno?: number | undefined;
  account?: readonly Address[] | undefined;
  exclude_account?: readonly Address[] | undefined;
  hash?: readonly Uint8Array[] | undefined;
  lt?: bigint | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

/**
 * One page of the transactions that match. What decides is looked up in the index alone:
 * transactions_by_lt, _by_time, _by_account, _by_account_time, _by_masterchain, _by_block by what is given; the rest of
 * the columns are read for the rows of the page.
 */
export async function listTransactions(
  queries: Queries,
  filter: TransactionFilter,
  page: Page & { sort: Direction },
): Promise<TransactionRecord[]> {
  return select(queries, pageOf(filter, page));
}

/** transactions_by_trace; ascending. */
export async function transactionsOfTraces(
  queries: Queries,
  traceIds: readonly Uint8Array[],
): Promise<TransactionRecord[]> {
  return select(
    queries,
    sql`select lt, account from transactions where trace_id = any(${traceIds}) order by lt, account`,
  );
}

/**
 * Those that sent the inbound message or received an outbound one of the transaction, or both; ascending. Messages of
 * the transaction by their primary key, the other sides by messages_by_hash, their transactions by primary key.
 */
export async function adjacentTransactions(
  queries: Queries,
  hash: Uint8Array,
  direction: (typeof directions)[number] | undefined,
): Promise<TransactionRecord[]> {
  const own = all(
    sql`own.tx_hash = ${hash}`,
    given(direction, (side) => sql`own.direction = ${codeOf(directions, side)}`),
  );
  return select(
    queries,
    sql`select distinct found.lt, found.account
    from messages own
    join messages other on other.msg_hash = own.msg_hash and other.direction <> own.direction
    join transactions found on found.hash = other.tx_hash and found.lt = other.tx_lt
    where ${own} order by found.lt, found.account`,
  );
}

type Key = { lt: bigint; account: Uint8Array };

/**
 * The rows of these keys, in their order, by transactions_by_account, whose columns no two transactions share. Apart from
 * the search for the keys, since what is always the same is planned once, and planning takes longer than reading a page.
 */
async function select(queries: Queries, search: Fragment): Promise<TransactionRecord[]> {
  const keys = await queries.query<Key>(search);
  if (keys.length === 0) return [];
  const rows = await queries.query<{ transaction: TransactionRecord }>(sql`
    select ${transactionJson} as transaction
    from unnest(${keys.map(({ account }) => account)}::bytea[], ${keys.map(({ lt }) => lt)}::bigint[])
      with ordinality page(account, lt, place)
    join transactions t on t.account = page.account and t.lt = page.lt
    ${withStates}
    order by page.place`);
  return rows.map(({ transaction }) => transaction);
}

function orderOf({ start_utime, end_utime }: TransactionFilter, sort: Direction): Fragment {
  const byTime = start_utime !== undefined || end_utime !== undefined;
  return ordered(sort, ...(byTime ? ["now", "lt", "account"] : ["lt", "account"]));
}

function pageOf(filter: TransactionFilter, page: Page & { sort: Direction }): Fragment {
  const order = orderOf(filter, page.sort);
  const accounts = wantedAccounts(filter);
  if (!accounts) {
    const rest = all(...conditionsOf(filter), excluding(filter));
    return sql`select lt, account from transactions where ${rest} order by ${order} ${paged(page)}`;
  }
  if (accounts.length === 1) {
    const rest = all(sql`account = ${accounts[0]}`, ...conditionsOf(filter));
    return sql`select lt, account from transactions where ${rest} order by ${order} ${paged(page)}`;
  }
  // Of every account no more than what could be on the page, in the order of its own index.
  const own = all(sql`account = wanted.address`, ...conditionsOf(filter));
  return sql`select one.lt, one.account
    from unnest(${accounts}::bytea[]) as wanted(address)
    cross join lateral (
      select lt, account, now from transactions where ${own} order by ${order} limit ${page.offset + page.limit}
    ) one
    order by ${order} ${paged(page)}`;
}

/** Each once, without those to be left out; `undefined` when any account will do. */
function wantedAccounts({ account, exclude_account }: TransactionFilter): Uint8Array[] | undefined {
  if (!account || account.length === 0) return undefined;
  const wanted = new Map(account.map((address) => [address.toRaw(), addressToBytes(address)]));
  for (const address of exclude_account ?? []) wanted.delete(address.toRaw());
  return [...wanted.values()];
}

function excluding({ exclude_account }: TransactionFilter): Fragment | undefined {
  return anyOf(exclude_account, (addresses) => sql`account <> all(${addresses.map(addressToBytes)})`);
}

function conditionsOf(filter: TransactionFilter): (Fragment | undefined)[] {
  return [
    blockCondition(filter),
    given(filter.mc_seqno, (seqno) => sql`mc_block_seqno = ${seqno}`),
    anyOf(filter.hash, (hashes) => sql`hash = any(${hashes})`),
    given(filter.lt, (lt) => sql`lt = ${capped(lt)}`),
    within("now", filter.start_utime, filter.end_utime),
    within("lt", filter.start_lt, filter.end_lt),
    messageCondition(filter),
  ];
}

/** A seqno without its shard is looked up in blocks_by_seqno, since transactions have no index for that. */
function blockCondition({ workchain, shard, seqno }: TransactionFilter): Fragment | undefined {
  const inBlock = (prefix: string) =>
    all(
      given(workchain, (value) => sql`${raw(`${prefix}workchain`)} = ${value}`),
      given(shard, (value) => sql`${raw(`${prefix}shard`)} = ${value}`),
      given(seqno, (value) => sql`${raw(`${prefix}seqno`)} = ${value}`),
    );
  if (workchain === undefined && shard === undefined && seqno === undefined) return undefined;
  if (seqno === undefined || (workchain !== undefined && shard !== undefined)) return inBlock("block_");
  return sql`(block_workchain, block_shard, block_seqno) in
    (select workchain, shard, seqno from blocks where ${inBlock("")})`;
}

/** messages_by_hash and messages_by_norm_hash, or messages_by_body, _by_opcode, _by_source, _by_destination. */
function messageCondition(filter: MessageFilter): Fragment | undefined {
  const { msg_hash, body_hash, opcode, source, destination, direction } = filter;
  const conditions = [
    given(body_hash, (hash) => sql`body_hash = ${hash}`),
    given(opcode, (value) => sql`opcode = ${value | 0}`),
    given(source, (address) => sql`source = ${addressToBytes(address)}`),
    given(destination, (address) => sql`destination = ${addressToBytes(address)}`),
    given(direction, (side) => sql`direction = ${codeOf(directions, side)}`),
  ];
  const byHash = anyOf(msg_hash, (hashes) => sql`msg_hash = any(${hashes})`);
  if (!byHash && conditions.every((condition) => condition === undefined)) return undefined;
  const sender = (...more: (Fragment | undefined)[]) =>
    sql`select tx_hash, tx_lt from messages where ${all(...more, ...conditions)}`;
  if (!byHash) return sql`(hash, lt) in (${sender()})`;
  return sql`(hash, lt) in (${sender(byHash)} union all ${sender(sql`msg_hash_norm = any(${msg_hash})`)})`;
}
