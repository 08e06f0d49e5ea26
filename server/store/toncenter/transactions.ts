import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../address-bytes.js";
import type { TransactionFilter } from "../queries/transactions/transaction-filter.js";
import { keepTraceText, type TraceTransactionText } from "../queries/transactions/transactions.js";
import type { IndexReads } from "../reads/index-reads.js";
import { taking } from "../sql/row-bytes.js";
import {
  all,
  anyOf,
  type Direction,
  type Fragment,
  given,
  hasNone,
  ordered,
  type Page,
  paged,
  within,
} from "../sql/where.js";
import { textsOfTransactions } from "./transaction-texts.js";
import {
  accountBytes,
  accountValues,
  addressValue,
  hashValue,
  isOneOfAccounts,
  isOneOfHashes,
  withinTimes,
} from "./values.js";

type TransactionReads = Pick<
  IndexReads,
  "listTransactions" | "adjacentTransactions" | "transactionsOfTraces"
>;

export const transactionReads: TransactionReads = {
  listTransactions: (queries, filter, page, _bookmarks, take) => {
    const { text, values } = textsOfTransactions(pageOf(filter, page));
    return queries.query({ text, values, fromBytes: taking(take) });
  },

  adjacentTransactions: (queries, hash, direction, take) => {
    const { text, values } = textsOfTransactions(SQL`
      select x.* from transactions x
      where exists (
        select from messages own join messages other
          on other.msg_hash = own.msg_hash and other.tx_hash::text <> own.tx_hash::text
        where own.tx_hash = ${hashValue(hash)} and other.tx_hash = x.hash and other.tx_lt = x.lt
          and ${all(given(direction, (side) => SQL`own.direction = ${side}::msg_direction`))})
      order by ${inOrder("asc", "x.lt")}`);
    return queries.query({ text, values, fromBytes: taking(take) });
  },

  transactionsOfTraces(queries, traces, { accounts } = {}) {
    const where = all(
      isOneOfHashes(
        "x.trace_id",
        traces.map(({ id }) => id),
      ),
      given(accounts, (keys) => isOneOfAccounts("x.account", keys)),
    );
    const nodes = raw(", t.trace_id, t.hash, own.in_hash, own.out_hashes");
    const page = SQL`select x.* from transactions x where ${where} order by ${inOrder("asc", "x.lt")}`;
    const { text, values } = textsOfTransactions(page, nodes);
    return queries.query<TraceTransactionText>({ text, values, fromBytes: keepTraceText });
  },
};

/** Their order of accounts is that of texts. */
function inOrder(sort: Direction, ...columns: readonly string[]): Fragment {
  return ordered(sort, ...columns, accountBytes("x.account"));
}

function pageOf(filter: TransactionFilter, { sort, ...page }: Page & { sort: Direction }): Fragment {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const order = byTime ? inOrder(sort, "x.now", "x.lt") : inOrder(sort, "x.lt");
  const where = all(...conditionsOf(filter));
  const accounts = filter.account?.map(addressToBytes) ?? [];
  if (accounts.length <= 1 || filter.hash?.length) {
    const ofAccounts = anyOf(accounts, (keys) => isOneOfAccounts("x.account", keys));
    return SQL`select x.* from transactions x where ${all(where, ofAccounts)} order by ${order} ${paged(page)}`;
  }
  // For every account no more rows than could be on the page.
  return SQL`
    select x.* from (select distinct a from unnest(${accountValues(accounts)}) a) wanted(account)
    cross join lateral (
      select x.* from transactions x where x.account = wanted.account and ${where}
      order by ${order} limit ${page.offset + page.limit}) x
    order by ${order} ${paged(page)}`;
}

function conditionsOf(filter: TransactionFilter): (Fragment | undefined)[] {
  return [
    anyOf(filter.hash, (hashes) => isOneOfHashes("x.hash", hashes)),
    anyOf(
      filter.exclude_account,
      (addresses) => SQL`x.account::text <> all(${accountValues(addresses.map(addressToBytes))}::text[])`,
    ),
    given(filter.lt, (value) => within("x.lt", value, value)!),
    given(filter.workchain, (value) => SQL`x.block_workchain = ${value}`),
    given(filter.shard, (value) => SQL`x.block_shard = ${value}`),
    given(filter.seqno, (value) => SQL`x.block_seqno = ${value}`),
    given(filter.mc_seqno, (value) => SQL`x.mc_block_seqno = ${value}`),
    withinTimes("x.now", filter.start_utime, filter.end_utime),
    within("x.lt", filter.start_lt, filter.end_lt),
    byMessage(filter),
  ];
}

/** The condition that a transaction has a message. */
function byMessage({ msg_hash, body_hash, opcode, source, destination, direction }: TransactionFilter) {
  const conditions = [
    anyOf(
      msg_hash,
      (hashes) =>
        SQL`(${isOneOfHashes("m.msg_hash", hashes)} or ${isOneOfHashes("m.msg_hash_norm", hashes)})`,
    ),
    given(body_hash, (hash) => SQL`m.body_hash = ${hashValue(hash)}`),
    given(opcode, (value) => SQL`m.opcode = ${value | 0}`),
    given(source, (address) => SQL`m.source = ${addressValue(address)}`),
    given(destination, (address) => SQL`m.destination = ${addressValue(address)}`),
  ];
  if (hasNone(conditions)) return undefined;
  return SQL`exists (
    select from messages m where m.tx_hash = x.hash and m.tx_lt = x.lt and ${all(
      ...conditions,
      given(direction, (side) => SQL`m.direction = ${side}::msg_direction`),
    )})`;
}
