import SQL, { raw } from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
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
} from "../../sql/where.js";
import { hasMessage } from "../cluster/divided-clauses.js";
import { keysByIndex } from "../cluster/transaction-keys.js";
import type { OrderedList } from "../slots/offset-bookmarks.js";
import { behind, inSlots, slotsBehind, windowsOf } from "../slots/slot-windows.js";
import { isLater, type Slot } from "../slots/slots.js";
import type { TransactionFilter } from "./transaction-filter.js";
import { scopeOf } from "./transaction-scope.js";
import {
  conditionsOf,
  ofAccounts,
  orders,
  type Part,
  type Search,
  type TransactionKey,
} from "./transaction-search.js";

/** The transactions of the list are in some of the `slots`. */
type TransactionList = OrderedList<TransactionKey> & { readonly slots: readonly Slot[] };

/** The list of the matching transactions. What narrows it is searched now; the statements of the list use it. */
export async function transactionList(
  queries: Queries,
  filter: TransactionFilter,
  sort: Direction,
): Promise<TransactionList> {
  const byTime = hasTimes(filter);
  const columns = orders[byTime ? "byTime" : "byLt"];
  const accounts = wantedAccounts(filter);
  const scope = await scopeOf(queries, filter, { accounts, byTime });
  const isMatched = scope.isByMessages ? await hasMessage(queries, filter) : undefined;
  const search: Search = { filter, accounts, scope, columns, sort, isMatched };
  const isDivided = await queries.isDivided();
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
      return plannedOnce(keysOf(search, { page, window, behind }, isDivided), scope.named !== undefined);
    },
    windows: {
      sort,
      areApart: !byTime,
      place,
      of: (after, slots = scope.slots) => windowsOf(slots, sort, behind(scope, sort, after && place(after))),
    },
    skipping: scope.counted && ((offset) => slotsBehind(scope.counted!, sort, offset)),
    countLater: (later, upTo) => SQL`select count(*) from transactions
      where ${all(
        ofAccounts(search),
        ...conditionsOf(search),
        isMatched,
        isLater("lt", "mc_block_seqno", later),
        beside("upTo", upTo),
      )}`,
  };
}

/** Finds keys by names or blocks on one server, and by indexes on the shards of a divided index. */
function keysOf(search: Search, part: Part, isDivided: boolean): Fragment {
  const { named, blocks } = search.scope;
  if (isDivided || !(named || blocks)) return keysByIndex(search, part);
  return named ? keysByNames(search, part) : keysByBlocks(search, part);
}

/**
 * No more rows per block than could be on the page: transactions_by_shard. In a list by time all of a block are sorted, as the
 * index of times would lead to those of all blocks.
 */
function keysByBlocks(search: Search, { page, window, behind }: Part): Fragment {
  const { columns, sort, isMatched } = search;
  const blocks = search.scope.blocks!;
  const order = ordered(sort, ...columns);
  const wanted = all(
    ofAccounts(search),
    ...conditionsOf(search, { ofBlocks: false }),
    ...[isMatched, window, behind],
  );
  const ofBlock = SQL`block_workchain = block.workchain and block_shard = block.shard and block_seqno = block.seqno
    and lt between block.start_lt and block.end_lt`;
  const rows =
    columns[0] === "now"
      ? SQL`(select * from transactions where ${ofBlock} offset 0) transactions where ${wanted}`
      : SQL`transactions where ${ofBlock} and ${wanted}`;
  return SQL`select one.*
    from unnest(
      ${blocks.map(({ workchain }) => workchain)}::integer[], ${blocks.map(({ shard }) => shard)}::bigint[],
      ${blocks.map(({ seqno }) => seqno)}::integer[], ${blocks.map(({ start_lt }) => start_lt)}::bigint[],
      ${blocks.map(({ end_lt }) => end_lt)}::bigint[]
    ) block(workchain, shard, seqno, start_lt, end_lt)
    cross join lateral (
      select ${raw(columns.join(", "))} from ${rows} order by ${order} limit ${page.offset + page.limit}) one
    order by ${order} ${paged(page)}`;
}

/** By transactions_by_lt. `offset 0` fixes the join order, which the planner could not choose without statistics. */
function keysByNames(search: Search, { page, window, behind }: Part): Fragment {
  const { columns, sort, isMatched } = search;
  const wanted = all(ofAccounts(search), ...conditionsOf(search), window, behind, isMatched);
  return SQL`select ${raw(columns.map((column) => `found.${column}`).join(", "))}
    from ${keyLists(search.scope.named!, { tx_hash: "bytea", tx_lt: "bigint" })} name(tx_hash, tx_lt)
    cross join lateral (
      select lt, now, account from transactions
      where ${isHash("hash", raw("name.tx_hash"))} and lt = name.tx_lt and ${wanted} offset 0) found
    order by ${ordered(sort, ...columns)} ${paged(page)}`;
}

/** Distinct accounts without the excluded ones; `undefined` if there is no filter by account. */
export function wantedAccounts({ account, exclude_account }: TransactionFilter): Uint8Array[] | undefined {
  if (!account || account.length === 0) return undefined;
  const wanted = new Map(account.map((address) => [address.toRaw(), addressToBytes(address)]));
  for (const address of exclude_account ?? []) wanted.delete(address.toRaw());
  return [...wanted.values()];
}
