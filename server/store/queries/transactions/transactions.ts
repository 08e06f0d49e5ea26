import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash, isOneOfHashes } from "../../sql/keys.js";
import { type BytesOf, latin1Text, type RecordText, type TakeText, taking } from "../../sql/row-bytes.js";
import {
  all,
  type Direction,
  distinct,
  type Fragment,
  given,
  greatest,
  keyList,
  type Page,
} from "../../sql/where.js";
import { type PageExtras, pageText } from "../accounts/page-extras.js";
import { besideRows, inPieces } from "../cluster/beside-rows.js";
import { ofShardOf } from "../cluster/divided-clauses.js";
import {
  gatheredMessages,
  gatheredParts,
  gatheredTransactions,
  isAnyOf,
  isAtAnyOf,
} from "../cluster/gathered-rows.js";
import { readList } from "../cluster/list-keys.js";
import { locateMessages, messagesAt, transactionsByHash } from "../slots/locators.js";
import type { OffsetBookmarks } from "../slots/offset-bookmarks.js";
import { type Slot, type SlotBounds, slotBounds, spansAt } from "../slots/slots.js";
import { readNamed } from "./named-transactions.js";
import type { TransactionFilter } from "./transaction-filter.js";
import { transactionList, wantedAccounts } from "./transaction-list.js";
import { isSearched, readSearched } from "./transaction-pages.js";
import type { TransactionKey } from "./transaction-search.js";
import { nodeColumns, pageColumns, transactionNode, withParts } from "./transaction-text.js";

/**
 * One page of the matching transactions: what `take` makes of their texts, which have the cuts of their messages. Those that
 * are named, and those of named blocks, are few: their keys come first.
 */
export async function listTransactions<Taken>(
  queries: Queries,
  filter: TransactionFilter,
  { sort, ...page }: Page & { sort: Direction },
  bookmarks: OffsetBookmarks,
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[]> {
  const accounts = wantedAccounts(filter);
  let found: ReturnType<typeof transactionList> | undefined;
  const list = () => (found ??= transactionList(queries, filter, sort));
  return readList(queries, {
    async atOnce() {
      if (isSearched(filter))
        return readSearched(queries, { filter, accounts, sort }, { page, take, extras }, bookmarks, list);
      // A statement for names has no keys, behind which the next page could begin.
      return page.cursor ? undefined : readNamed(queries, filter, { sort, ...page }, take, extras);
    },
    keys: async () => bookmarks.read(queries, await list(), page),
    rowsOf: async (keys) => transactionsAt(queries, keys, take, { slots: (await list()).slots, extras }),
  });
}

/** A trace, and the lt of its first and its last transaction. `slot`, if it is known, is where that of the first begins. */
export type TraceSpan = { id: Uint8Array; from: bigint; to: bigint; slot?: bigint };

/** Nodes of trees of transactions; blanks separate the hashes of sent messages. */
type TransactionNode = { hash: string; in_hash: string | null; out_hashes: string | null };

/** A transaction of a trace. */
export type TraceTransactionText = RecordText & TransactionNode & { trace_id: string };

/** `accounts` leaves out transactions of other accounts. `rows`: how many there are, if that is known. */
type TracesOptions = {
  accounts?: readonly Uint8Array[];
  rows?: number;
  extras?: PageExtras | undefined;
};

/** transactions_by_trace; ascending. `offset 0` fixes the join order. */
export async function transactionsOfTraces(
  queries: Queries,
  traces: readonly TraceSpan[],
  { accounts, rows = Infinity, extras }: TracesOptions = {},
): Promise<TraceTransactionText[]> {
  const [from, to] = [traces.map((trace) => trace.from), traces.map((trace) => trace.to)];
  const known = traces.flatMap((trace) =>
    trace.slot === undefined ? [] : { lt: trace.from, slot: trace.slot },
  );
  const starts = await slotBounds(queries, from, spansAt(known));
  const spans = { ...starts, ids: traces.map(({ id }) => id), from, to, greatest: greatest(to) };
  const options = { rows, fromBytes: keepTraceText, extras };
  const gathered = await besideRows(queries, () => {
    const isWithin = SQL`t.lt between ${starts.least} and ${spans.greatest}`;
    return gatheredParts({
      condition: all(isOneOfHashes("t.trace_id", spans.ids), isWithin),
      first: starts.first,
      accounts,
    });
  });
  return gathered.query<TraceTransactionText>(
    accounts ? ofTracesAndAccounts({ ...spans, accounts }, options) : ofTraces(spans, options),
  );
}

export function keepTraceText(row: BytesOf<TraceTransactionText>): TraceTransactionText {
  return {
    text: Buffer.from(row.text),
    addresses: latin1Text(row.addresses),
    trace_id: latin1Text(row.trace_id),
    hash: latin1Text(row.hash),
    in_hash: row.in_hash && latin1Text(row.in_hash),
    out_hashes: row.out_hashes && latin1Text(row.out_hashes),
  };
}

type Spans = SlotBounds & {
  ids: readonly Uint8Array[];
  from: readonly bigint[];
  to: readonly bigint[];
};

const form = { tokens: true, columns: nodeColumns };
const ofTraces = pageText<Spans>((given) => textOfTraces(given), form);
const ofTracesAndAccounts = pageText<Spans & { accounts: readonly Uint8Array[] }>(
  (given) => textOfTraces(given, SQL`account = any(${given.accounts}::bytea[])`),
  form,
);

function textOfTraces(given: { [Name in keyof Spans]: unknown }, ofAccounts?: Fragment): Fragment {
  const bounds = { from: given.least, to: given.greatest };
  return SQL`
    select ${pageColumns}, ${transactionNode}
    from (
      select found.*, wanted.slot
      from unnest(
        ${keyList("bytea", given.ids)}, ${keyList("bigint", given.from)}, ${keyList("bigint", given.to)},
        ${keyList("bigint", given.starts)}
      ) wanted(id, from_lt, to_lt, slot)
      cross join lateral (
        select * from transactions
        where ${all(
          isHash("trace_id", raw("wanted.id")),
          SQL`lt between wanted.from_lt and wanted.to_lt`,
          SQL`lt between ${bounds.from} and ${bounds.to}`,
          ofAccounts,
        )} offset 0) found
      order by found.lt, found.account offset 0) t
    ${withParts(bounds, "t.slot", given.first)}
    order by t.lt, t.account`;
}

type OwnMessage = { msg_hash: Uint8Array; source: Uint8Array | null; destination: Uint8Array | null };

/**
 * The sender of the inbound message and the receivers of the outbound ones, or one side; ascending. The transaction and
 * the other sides by their locators, its messages by messages_by_transaction, the other transactions by primary keys.
 */
export async function adjacentTransactions<Taken>(
  queries: Queries,
  hash: Uint8Array,
  direction: (typeof directions)[number] | undefined,
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[]> {
  const [name] = await transactionsByHash(queries, [hash]);
  if (!name) return [];
  const ofShard = await ofShardOf(queries, name.account);
  const own = await queries.query<OwnMessage>(SQL`
    select msg_hash, source, destination from messages where ${all(
      SQL`${isHash("tx_hash", SQL`${hash}`)} and tx_lt = ${name.tx_lt} ${ofShard}`,
      given(direction, (side) => SQL`direction = ${codeOf(directions, side)}`),
    )}`);
  const located = await locateMessages(
    queries,
    own.map(({ msg_hash }) => msg_hash),
  );
  if (located.length === 0) return [];
  const gathered = await besideRows(queries, () => {
    const parties = own.flatMap(({ source, destination }) => [source, destination]);
    const accounts = distinct(parties.filter((party) => party !== null));
    return [
      gatheredTransactions(all(isAnyOf("t.account", accounts), isAtAnyOf("t.lt", located))),
      gatheredMessages(all(isAnyOf("m.account", accounts), isAtAnyOf("m.tx_lt", located))),
    ];
  });
  const keys = await gathered.query<TransactionKey>(
    SQL`select distinct found.lt, found.account
    from ${messagesAt(located)}
    cross join lateral (
      select lt, account from transactions where ${isHash("hash", raw("m.tx_hash"))} and lt = m.tx_lt offset 0) found
    where m.msg_hash = wanted.hash and m.tx_hash <> ${hash}
    order by found.lt, found.account`,
  );
  return transactionsAt(queries, keys, take, { extras });
}

/**
 * The transactions of these keys, in their order, by transactions_by_account, whose columns are unique. `slots` are those
 * that are known already.
 */
export function transactionsAt<Taken>(
  queries: Queries,
  keys: readonly TransactionKey[],
  take: TakeText<Taken>,
  { slots, extras }: { slots?: readonly Slot[]; extras?: PageExtras | undefined } = {},
): Promise<Taken[]> {
  return inPieces(queries, keys, (piece) =>
    readAt(queries, piece, take, { slots, extras, rows: keys.length }),
  );
}

async function readAt<Taken>(
  queries: Queries,
  keys: readonly TransactionKey[],
  take: TakeText<Taken>,
  {
    slots,
    extras,
    rows,
  }: { slots: readonly Slot[] | undefined; extras: PageExtras | undefined; rows: number },
): Promise<Taken[]> {
  if (keys.length === 0) return [];
  const lts = keys.map(({ lt }) => lt);
  const starts = await slotBounds(queries, lts, slots);
  const values = { ...starts, accounts: keys.map(({ account }) => account), lts };
  const gathered = await besideRows(queries, () =>
    gatheredParts({
      condition: SQL`t.lt = any(${lts}::bigint[])`,
      first: starts.first,
      accounts: distinct(values.accounts),
    }),
  );
  return gathered.query(byKeys(values, { rows, fromBytes: taking(take), extras }));
}

/** Executors leave the partitions out that no key can be in: those that are not between `least` and `greatest`. */
const byKeys = pageText<SlotBounds & { accounts: readonly Uint8Array[]; lts: readonly bigint[] }>(
  (given) => SQL`
    select ${pageColumns}
    from unnest(
      ${keyList("bytea", given.accounts)}, ${keyList("bigint", given.lts)}, ${keyList("bigint", given.starts)}
    ) with ordinality page(account, lt, from_lt, place)
    cross join lateral (
      select * from transactions
      where account = page.account and lt = page.lt and lt between ${given.least} and ${given.greatest} offset 0) t
    ${withParts({ from: given.least, to: given.greatest }, "page.from_lt", given.first)}
    order by page.place`,
);
