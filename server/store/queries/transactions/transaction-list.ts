import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import {
  all,
  anyOf,
  capped,
  compared,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  keyLists,
  ordered,
  type Page,
  paged,
  plannedOnce,
  within,
} from "../../where.js";
import type { TransactionName } from "../slots/locators.js";
import type { OrderedList } from "../slots/offset-bookmarks.js";
import { areWithoutGap, behind, inSlots, slotsBehind, windowsOf } from "../slots/slot-windows.js";
import { mayFollow, type ShardName, type Slot } from "../slots/slots.js";
import { hasOnly, ltNames, messageConditions, type TransactionFilter } from "./transaction-filter.js";
import { inBlocks, type Scope, scopeOf } from "./transaction-scope.js";

/** A unique key; `now` if the list is ordered by it. */
export type TransactionKey = { lt: bigint; account: Uint8Array; now?: bigint };

/** The transactions of the list are in some of the `slots`. */
export type TransactionList = OrderedList<TransactionKey> & { readonly slots: readonly Slot[] };

/** The list of the matching transactions. What narrows it is searched now; the statements of the list use it. */
export async function transactionList(
  queries: Queries,
  filter: TransactionFilter,
  sort: Direction,
): Promise<TransactionList> {
  const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
  const columns = byTime ? (["now", "lt", "account"] as const) : (["lt", "account"] as const);
  const accounts = wantedAccounts(filter);
  const scope = await scopeOf(queries, filter, { accounts, byTime });
  const search: Search = { filter, accounts, scope, columns, sort };
  const beside = (side: "behind" | "upTo", key: TransactionKey) =>
    compared(
      sort,
      side,
      columns,
      columns.map((column) => key[column]),
    );
  const place = (key: TransactionKey) => (byTime ? key.now! : key.lt);
  return {
    slots: scope.slots,
    keys: (page, after, slots) => {
      const window = given(slots, (known) => inSlots("lt", known));
      const behind = given(after, (key) => beside("behind", key));
      return plannedOnce(keysOf(search, { page, window, after, behind }), hasOnePlan(search, slots));
    },
    windows: {
      sort,
      place,
      of: (after, slots = scope.slots) => windowsOf(slots, sort, behind(scope, sort, after && place(after))),
    },
    skipping: scope.counted && ((offset) => slotsBehind(scope.counted!, sort, offset)),
    countLater: (seqno, upTo) => SQL`select count(*) from transactions
      where ${all(
        ofAccounts(search),
        ...conditionsOf(search),
        scope.isByMessages ? hasMessage(filter) : undefined,
        SQL`mc_block_seqno > ${seqno}`,
        mayFollow("lt", seqno),
        beside("upTo", upTo),
      )}`,
  };
}

type Search = {
  filter: TransactionFilter;
  accounts: readonly Uint8Array[] | undefined;
  scope: Scope;
  /** The order; the last two make it total. */
  columns: readonly ("now" | "lt" | "account")[];
  sort: Direction;
};

/**
 * Whether keys are named, or one index has exactly these rows in this order: transactions_by_account, _by_masterchain, and
 * in slots without a gap _by_lt.
 */
function hasOnePlan({ filter, accounts, scope }: Search, slots: readonly Slot[] | undefined): boolean {
  if (scope.named) return true;
  if (hasOnly(filter, ...ltNames)) return accounts ? accounts.length === 1 : areWithoutGap(slots);
  return !accounts && hasOnly(filter, "mc_seqno", ...ltNames);
}

/** A page, within slots and behind a key if these conditions are given. */
type Part = {
  page: Page;
  window: Fragment | undefined;
  after: TransactionKey | undefined;
  behind: Fragment | undefined;
};

/** By index-only scans: transactions_by_lt, _by_time, _by_account, _by_account_time, _by_masterchain, _by_shard. */
function keysOf(search: Search, part: Part): Fragment {
  const { accounts, scope, columns, sort } = search;
  if (scope.named) return keysByNames(search, part, scope.named);
  if (!accounts && scope.isByMessages) return keysByMessages(search, part);
  if (!accounts && search.filter.mc_seqno === undefined && scope.blocks && scope.blocks.length > 1)
    return keysByBlocks(search, part);
  if (scope.shards) return keysByShards(search, part, scope.shards);
  const { page, window, behind } = part;
  const order = ordered(sort, ...columns);
  const ending = SQL`order by ${order} ${paged(page)}`;
  const ofMessages = scope.isByMessages ? hasMessage(search.filter) : undefined;
  const wanted = [...conditionsOf(search), window, behind, ofMessages];
  if (!accounts)
    return SQL`select ${raw(columns.join(", "))} from transactions where ${all(ofAccounts(search), ...wanted)} ${ending}`;
  // Skipped rows are read too. Leaving out the account, which is known, saves a third of the time.
  if (accounts.length === 1)
    return SQL`select page.*, ${accounts[0]}::bytea as account
      from (
        select ${raw(columns.filter((column) => column !== "account").join(", "))} from transactions
        where ${all(ofAccounts(search), ...wanted)} ${ending}) page`;
  // Of every account no more rows than could be on the page, in the order of its index.
  return SQL`select one.*
    from unnest(${accounts}::bytea[]) as wanted(address)
    cross join lateral (
      select ${raw(columns.join(", "))} from transactions where ${all(SQL`account = wanted.address`, ...wanted)}
      order by ${order} limit ${page.offset + page.limit}
    ) one
    ${ending}`;
}

/** Of every block no more rows than could be on the page. */
function keysByBlocks(search: Search, { page, window, behind }: Part): Fragment {
  const { columns, sort } = search;
  const blocks = search.scope.blocks!;
  const order = ordered(sort, ...columns);
  const wanted = all(ofAccounts(search), ...conditionsOf(search, { ofBlocks: false }), window, behind);
  return SQL`select one.*
    from unnest(
      ${blocks.map(({ workchain }) => workchain)}::integer[], ${blocks.map(({ shard }) => shard)}::bigint[],
      ${blocks.map(({ seqno }) => seqno)}::integer[], ${blocks.map(({ start_lt }) => start_lt)}::bigint[],
      ${blocks.map(({ end_lt }) => end_lt)}::bigint[]
    ) block(workchain, shard, seqno, start_lt, end_lt)
    cross join lateral (
      select ${raw(columns.join(", "))} from transactions
      where block_workchain = block.workchain and block_shard = block.shard and block_seqno = block.seqno
        and lt between block.start_lt and block.end_lt and ${wanted}
      order by ${order} limit ${page.offset + page.limit}
    ) one
    order by ${order} ${paged(page)}`;
}

/** Of every shard no more rows than could be on the page: transactions_by_shard, transactions_by_shard_time. */
function keysByShards(
  search: Search,
  { page, window, behind }: Part,
  shards: readonly ShardName[],
): Fragment {
  const { columns, sort } = search;
  const order = ordered(sort, ...columns);
  const { start_utime, end_utime } = search.filter;
  const times = within("now", start_utime, end_utime);
  const wanted = all(ofAccounts(search), times, ...ltConditions(search.filter), window, behind);
  return SQL`select one.*
    from unnest(
      ${shards.map(({ workchain }) => workchain)}::integer[], ${shards.map(({ shard }) => shard)}::bigint[]
    ) wanted(workchain, shard)
    cross join lateral (
      select ${raw(columns.join(", "))} from transactions
      where block_workchain = wanted.workchain and block_shard = wanted.shard and ${wanted}
      order by ${order} limit ${page.offset + page.limit}
    ) one
    order by ${order} ${paged(page)}`;
}

/** By primary keys. `offset 0` fixes the join order, which the planner could not choose without statistics. */
function keysByNames(search: Search, part: Part, named: readonly TransactionName[]): Fragment {
  const ofMessages = search.scope.isByMessages ? hasMessage(search.filter) : undefined;
  const names = SQL`${keyLists(named, { tx_hash: "bytea", tx_lt: "bigint" })} name(tx_hash, tx_lt)`;
  return keysOfRows(search, part, names, ofMessages);
}

/**
 * By messages, in the order of messages_by_opcode_tx or messages_by_body_tx, or by messages_by_source, _by_destination or
 * _by_route. If nothing else is asked of transactions, no more of them are read than can be on the page.
 */
function keysByMessages(search: Search, part: Part): Fragment {
  const { filter, sort } = search;
  const { page, window, after } = part;
  const named = (...more: (Fragment | undefined)[]) => SQL`
    select tx_hash, lt as tx_lt from (select *, tx_lt as lt from messages) messages
    where ${all(...messageConditions(filter), ...ltConditions(filter), window, ...more)} group by lt, tx_hash`;
  if (!isOfMessagesOnly(search)) return keysOfRows(search, part, SQL`(${named()} offset 0) name`);
  const first = (...more: (Fragment | undefined)[]) =>
    SQL`(${named(...more)} order by tx_lt ${raw(sort)} fetch first ${page.offset + page.limit} rows with ties)`;
  // Transactions with the lt of the key are on either side of it.
  const names = after
    ? SQL`(${named(SQL`lt = ${after.lt}`)} union all ${first(SQL`lt ${raw(sort === "desc" ? "<" : ">")} ${after.lt}`)})`
    : first();
  return keysOfRows(search, part, SQL`${names} name`);
}

function isOfMessagesOnly({ filter, scope, columns }: Search): boolean {
  const { workchain, shard, exclude_account } = filter;
  const isOfBlocks = scope.blocks !== undefined || workchain !== undefined || shard !== undefined;
  return columns[0] === "lt" && !isOfBlocks && !exclude_account?.length;
}

/** The matching ones of the transactions that `names` yields as `name`. */
function keysOfRows(
  search: Search,
  { page, window, behind }: Part,
  names: Fragment,
  more?: Fragment,
): Fragment {
  const { columns, sort } = search;
  const wanted = all(ofAccounts(search), ...conditionsOf(search), window, behind, more);
  return SQL`select ${raw(columns.map((column) => `found.${column}`).join(", "))}
    from ${names}
    cross join lateral (
      select lt, now, account from transactions
      where hash = name.tx_hash and lt = name.tx_lt and ${wanted} offset 0) found
    order by ${ordered(sort, ...columns)} ${paged(page)}`;
}

/** Whether one of its messages, found by primary key, matches. A subquery is not made a join. */
function hasMessage(filter: TransactionFilter): Fragment {
  return SQL`(
    select true from messages m
    where ${all(SQL`m.tx_hash = transactions.hash and m.tx_lt = transactions.lt`, ...messageConditions(filter))} limit 1)`;
}

function ofAccounts({ filter, accounts }: Search): Fragment | undefined {
  if (!accounts)
    return anyOf(
      filter.exclude_account,
      (addresses) => SQL`account <> all(${addresses.map(addressToBytes)})`,
    );
  return accounts.length === 1 ? SQL`account = ${accounts[0]}` : SQL`account = any(${accounts}::bytea[])`;
}

/** Distinct accounts without the excluded ones; `undefined` if there is no filter by account. */
function wantedAccounts({ account, exclude_account }: TransactionFilter): Uint8Array[] | undefined {
  if (!account || account.length === 0) return undefined;
  const wanted = new Map(account.map((address) => [address.toRaw(), addressToBytes(address)]));
  for (const address of exclude_account ?? []) wanted.delete(address.toRaw());
  return [...wanted.values()];
}

function conditionsOf({ filter, scope }: Search, { ofBlocks = true } = {}): (Fragment | undefined)[] {
  const { blocks } = scope;
  return [
    ofBlocks && blocks && filter.seqno !== undefined ? inBlocks(blocks) : undefined,
    given(filter.workchain, (value) => SQL`block_workchain = ${value}`),
    given(filter.shard, (value) => SQL`block_shard = ${value}`),
    given(filter.mc_seqno, (seqno) => SQL`mc_block_seqno = ${seqno}`),
    anyOf(filter.hash, (values) => isOneOf("hash", values)),
    within("now", filter.start_utime, filter.end_utime),
    ...ltConditions(filter),
  ];
}

function ltConditions({ lt, start_lt, end_lt }: TransactionFilter): (Fragment | undefined)[] {
  return [given(lt, (value) => SQL`lt = ${capped(value)}`), within("lt", start_lt, end_lt)];
}
