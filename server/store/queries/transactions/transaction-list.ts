import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import {
  all,
  compared,
  type Direction,
  type Fragment,
  given,
  hasTimes,
  keyLists,
  ordered,
  paged,
  plannedOnce,
  within,
} from "../../where.js";
import { keysOfNodes } from "../cluster/transaction-keys.js";
import type { TransactionName } from "../slots/locators.js";
import type { OrderedList } from "../slots/offset-bookmarks.js";
import { areWithoutGap, behind, inSlots, slotsBehind, windowsOf } from "../slots/slot-windows.js";
import { mayFollow, type ShardName, type Slot } from "../slots/slots.js";
import { isInOrderOfMessages, keysByMessages, keysByParties, routeOf } from "./keys-by-messages.js";
import { hasOnly, ltNames, type TransactionFilter } from "./transaction-filter.js";
import { scopeOf } from "./transaction-scope.js";
import {
  conditionsOf,
  hasMessage,
  isOfAccount,
  keysOfRows,
  ltConditions,
  ofAccounts,
  orders,
  type Part,
  type Search,
  type TransactionKey,
} from "./transaction-search.js";

/** The transactions of the list are in some of the `slots`. */
type TransactionList = OrderedList<TransactionKey> & { readonly slots: readonly Slot[] };

type ListOptions = {
  /** Whether keys have their times, and are in the order of lt whether or not the filter has times. */
  isByLt?: boolean;
};

/** The list of the matching transactions. What narrows it is searched now; the statements of the list use it. */
export async function transactionList(
  queries: Queries,
  filter: TransactionFilter,
  sort: Direction,
  { isByLt = false }: ListOptions = {},
): Promise<TransactionList> {
  const byTime = !isByLt && hasTimes(filter);
  const columns = isByLt ? orders.timedByLt : byTime ? orders.byTime : orders.byLt;
  const accounts = wantedAccounts(filter);
  const scope = await scopeOf(queries, filter, { accounts, byTime });
  const isDivided = (await queries.isDivided?.()) ?? false;
  const search: Search = { filter, accounts, scope, columns, sort, isDivided };
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
    order: columns.map((column) => [column, column === "account" ? "account" : "bigint"]),
    keys: (page, after, slots) => {
      const window = given(slots, (known) => inSlots("lt", known));
      const behind = given(after, (key) => beside("behind", key));
      const statement = plannedOnce(
        keysOf(search, { page, window, after, behind }),
        hasOnePlan(search, slots),
      );
      return { ...statement, isInOrder: isInOrderOfMessages(search) || routeOf(search) !== undefined };
    },
    windows: {
      sort,
      areApart: !byTime,
      place,
      of: (after, slots = scope.slots) => windowsOf(slots, sort, behind(scope, sort, after && place(after))),
    },
    skipping: scope.counted && ((offset) => slotsBehind(scope.counted!, sort, offset)),
    countLater: (seqno, upTo) => SQL`select count(*) from transactions
      where ${all(
        ofAccounts(search),
        ...conditionsOf(search),
        scope.isByMessages ? hasMessage(search) : undefined,
        SQL`mc_block_seqno > ${seqno}`,
        mayFollow("lt", seqno),
        beside("upTo", upTo),
      )}`,
  };
}

/**
 * Whether keys are named, or one index has exactly these rows in this order: transactions_by_account, _by_masterchain, and
 * in slots without a gap _by_lt.
 */
function hasOnePlan({ filter, accounts, scope }: Search, slots: readonly Slot[] | undefined): boolean {
  if (scope.named) return true;
  if (hasOnly(filter, ...ltNames)) return accounts ? accounts.length === 1 : areWithoutGap(slots);
  return !accounts && hasOnly(filter, "mc_seqno", ...ltNames);
}

/** By transactions_by_lt, _by_time, _by_account_time, _by_masterchain or _by_shard, or by an index-only scan of _by_account. */
function keysOf(search: Search, part: Part): Fragment {
  const { accounts, scope, columns, sort, isDivided } = search;
  if (isDivided) return keysOfNodes(search, part);
  if (scope.named) return keysByNames(search, part, scope.named);
  if (!accounts && scope.isByMessages) return keysByMessages(search, part);
  const route = routeOf(search);
  if (route) return keysByParties(search, part, route);
  if (!accounts && search.filter.mc_seqno === undefined && scope.blocks && scope.blocks.length > 1)
    return keysByBlocks(search, part);
  if (scope.shards) return keysByShards(search, part, scope.shards);
  const { page, window, behind } = part;
  const order = ordered(sort, ...columns);
  const ending = SQL`order by ${order} ${paged(page)}`;
  const ofMessages = scope.isByMessages ? hasMessage(search) : undefined;
  const wanted = [...conditionsOf(search), window, behind, ofMessages];
  if (!accounts)
    return SQL`select ${raw(columns.join(", "))} from transactions where ${all(ofAccounts(search), ...wanted)} ${ending}`;
  // Skipped rows are read too. Leaving out the account, which is known, saves a third of the time.
  if (accounts.length === 1)
    return SQL`select page.*, ${accounts[0]}::bytea as account
      from (
        select ${raw(columns.filter((column) => column !== "account").join(", "))} from transactions
        where ${all(ofAccounts(search), ...wanted)} ${ending}) page`;
  // No more rows per account than could be on the page, in the order of its index.
  return SQL`select one.*
    from unnest(${accounts}::bytea[]) as wanted(address)
    cross join lateral (
      select ${raw(columns.join(", "))} from transactions where ${all(isOfAccount(search, raw("wanted.address")), ...wanted)}
      order by ${order} limit ${page.offset + page.limit}
    ) one
    ${ending}`;
}

/** No more rows per block than could be on the page. */
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

/** No more rows per shard than could be on the page: transactions_by_shard, transactions_by_shard_time. */
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

/** By transactions_by_lt. `offset 0` fixes the join order, which the planner could not choose without statistics. */
function keysByNames(search: Search, part: Part, named: readonly TransactionName[]): Fragment {
  const ofMessages = search.scope.isByMessages ? hasMessage(search) : undefined;
  const names = SQL`${keyLists(named, { tx_hash: "bytea", tx_lt: "bigint" })} name(tx_hash, tx_lt)`;
  return keysOfRows(search, part, names, { more: ofMessages });
}

/** Distinct accounts without the excluded ones; `undefined` if there is no filter by account. */
function wantedAccounts({ account, exclude_account }: TransactionFilter): Uint8Array[] | undefined {
  if (!account || account.length === 0) return undefined;
  const wanted = new Map(account.map((address) => [address.toRaw(), addressToBytes(address)]));
  for (const address of exclude_account ?? []) wanted.delete(address.toRaw());
  return [...wanted.values()];
}
