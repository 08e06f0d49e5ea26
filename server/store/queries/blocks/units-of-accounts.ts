import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { all, distinct, type Fragment, keyList, keyLists } from "../../sql/where.js";
import { accountKey } from "../../tables/directories.js";
import { readMatching } from "../cluster/account-entries.js";
import { besideRows } from "../cluster/beside-rows.js";
import {
  gatheredActions,
  gatheredColumns,
  gatheredTransactions,
  isAnyOf,
  isAtAnyOf,
} from "../cluster/gathered-rows.js";
import { keysInOrder } from "../cluster/list-keys.js";
import { tokensOfOwners } from "../cluster/tokens-of-owners.js";
import type { ListOrder } from "../slots/slot-pages.js";
import { inSlots } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { tracesAt } from "../traces/account-traces.js";
import { blocksOfLateEvents } from "../upkeep/late-events.js";
import { unitsAmong } from "./units.js";

/** Events of accounts in a masterchain block: their transactions, or the end of a trace that they are part of. */
export type UnitConcern = "transactions" | "traces" | "actions" | "jettonWallets";

/** Masterchain blocks that are searched. */
type UnitSpan = { readonly first: number; readonly last: number };

/** Rows that are read of one account. */
const maxRows = 200;
/** Blocks of shards are registered by a masterchain block at most so much later than their logical times tell. */
const maxLag = 64;

/**
 * The masterchain blocks of a span, ascending, that have to do with accounts. `last`: where the search ended, which is
 * before the end of the span if an account has much to do with it.
 */
export async function unitsOfAccounts(
  queries: Queries,
  accounts: readonly Uint8Array[],
  concern: UnitConcern,
  { first, last }: UnitSpan,
): Promise<{ units: number[]; last: number }> {
  const bounds = await unitsAmong(queries, [first - maxLag, last]);
  const to = bounds.find(({ seqno }) => seqno === last)?.endLt;
  // Its blocks may have been taken back.
  if (to === undefined) return { units: [first], last: first };
  const from = bounds.find(({ seqno }) => seqno === first - maxLag)?.endLt ?? 0n;
  const source = await sources[concern](queries, { accounts, from, to });
  const gathered =
    concern === "jettonWallets" ? await besideWallets(queries, accounts, { from, to }) : queries;
  const late =
    concern === "transactions" ? [] : await blocksOfLateEvents(queries, accounts, concern, { first, last });
  if (!source) return { units: late, last };
  const rows = await gathered.query<UnitOfAccount>(SQL`
    select account, seqno from ${source} found where seqno <= ${last} order by seqno`);
  const end = endOfRows(rows, last);
  if (end < first) return { units: [first], last: first };
  const units = [...rows.map(({ seqno }) => seqno), ...late].filter(
    (seqno) => seqno >= first && seqno <= end,
  );
  return { units: [...new Set(units)].sort((a, b) => a - b), last: end };
}

/** An account with as many rows as are read may have further ones behind the last. */
function endOfRows(rows: readonly { account: Uint8Array; seqno: number }[], last: number): number {
  const counts = new Map<string, number>();
  let end = last;
  for (const { account, seqno } of rows) {
    const name = String(account);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (count >= maxRows) end = Math.min(end, seqno - maxLag);
  }
  return end;
}

type UnitOfAccount = { account: Uint8Array; seqno: number };
type Search = { accounts: readonly Uint8Array[]; from: bigint; to: bigint };
type Source = (queries: Queries, search: Search) => Promise<Fragment | undefined>;

/** Items of a FROM list that yield accounts and masterchain blocks, by the first rows of each account in the bounds. */
const sources: Readonly<Record<UnitConcern, Source>> = {
  /** transactions_by_account, in the slots of the accounts. */
  async transactions(queries, { accounts, from, to }) {
    const slots = (await readSlots(queries, { accounts })).filter(
      (slot) => slot.to_lt > from && slot.from_lt <= to,
    );
    if (slots.length === 0) return undefined;
    const ofAccount = (account: Fragment) => SQL`select mc_block_seqno as seqno from transactions
        where account = ${account} and lt between ${from} and ${to} and ${inSlots("lt", slots)}
        order by lt limit ${maxRows}`;
    return ofEach(queries, accounts, {
      together: ofAccount(SQL`wanted.account`),
      alone: (account) => queries.query(ofAccount(SQL`${account}`)),
    });
  },
  /** account_traces_by_lt, then primary keys. */
  async traces(queries, { accounts, from, to }) {
    const placesOf = (account: Fragment) => SQL`
      select trace_id, end_lt as sort_lt from account_traces
      where ${isAccount("account", account)} and end_lt between ${from} and ${to}
      order by end_lt limit ${maxRows}`;
    return ofEach(queries, accounts, {
      together: SQL`select t.mc_seqno_end as seqno
        from (${placesOf(raw("wanted.account"))}) a
        cross join lateral (
          select mc_seqno_end from traces
          where trace_id = a.trace_id and sort_lt = a.sort_lt and sort_lt between ${from} and ${to} offset 0) t`,
      alone: async (account) => {
        const traces = await tracesAt(queries, await queries.query(placesOf(SQL`${account}`)));
        return traces.map(({ mc_seqno_end: seqno }) => ({ seqno }));
      },
    });
  },
  /** action_accounts_by_lt, then actions_by_lt. Accounts that share a key are compared before rows are counted. */
  async actions(queries, { accounts, from, to }) {
    const actionOf = (account: Fragment) => SQL`
      cross join lateral (
        select trace_mc_seqno_end as seqno from actions
        where trace_end_lt = c.trace_end_lt and hash_prefix(action_id) = c.action_key
          and ${account} = any(accounts) and trace_end_lt between ${from} and ${to} offset 0) a`;
    return ofEach(queries, accounts, {
      together: SQL`select a.seqno
        from action_accounts c ${actionOf(SQL`wanted.account`)}
        where c.account_key = account_key(wanted.account) and c.trace_end_lt between ${from} and ${to}
        order by c.trace_end_lt limit ${maxRows}`,
      alone: (account) => actionsBeside(queries, { account, from, to }, actionOf),
    });
  },
  /** jetton_wallets_by_owner and the primary key; of each wallet its last transaction, by transactions_by_account. */
  jettonWallets: (queries, { accounts, from, to }) =>
    ofEach(queries, accounts, {
      together: SQL`select t.seqno
        from (${changedWallets({ from, to })}) w
        cross join lateral (
          select mc_block_seqno as seqno from transactions
          where account = w.address and lt = w.last_transaction_lt and lt between ${from} and ${to} offset 0) t`,
    }),
};

/** Jetton wallets of `wanted.account`, or that account, whose last transactions are within bounds. */
function changedWallets({ from, to }: Pick<Search, "from" | "to">): Fragment {
  return SQL`
    select address, last_transaction_lt from jetton_wallets
    where not destroyed and (address = wanted.account or owner = wanted.account)
      and last_transaction_lt between ${from} and ${to}
    order by last_transaction_lt limit ${maxRows}`;
}

async function besideWallets(
  queries: Queries,
  accounts: readonly Uint8Array[],
  bounds: Pick<Search, "from" | "to">,
): Promise<Queries> {
  const { from, to } = bounds;
  const known = await besideRows(queries, async () => {
    const among = await tokensOfOwners(queries, "w", accounts);
    const isOfAny = SQL`(${isAnyOf("w.address", accounts)} or ${isAnyOf("w.owner", accounts)})`;
    const condition = all(
      among && isAnyOf("w.address", distinct([...accounts, ...among])),
      SQL`not w.destroyed and ${isOfAny} and w.last_transaction_lt between ${from} and ${to}`,
    );
    return [
      gatheredColumns("w", SQL`jetton_wallets w where ${condition}`, [
        "owner",
        "last_transaction_lt",
        "destroyed",
      ]),
    ];
  });
  return besideRows(known, async () => {
    const wallets = await known.query<{ address: Uint8Array; lt: bigint }>(SQL`
      select w.address, w.last_transaction_lt as lt from unnest(${keyList("bytea", accounts)}) wanted(account)
      cross join lateral (${changedWallets(bounds)}) w`);
    const addresses = distinct(wallets.map(({ address }) => address));
    return addresses.length === 0
      ? []
      : [gatheredTransactions(all(isAnyOf("t.account", addresses), isAtAnyOf("t.lt", wallets)))];
  });
}

type Entry = { trace_end_lt: bigint; action_key: bigint; trace_key: bigint };

const inOrderOfLt: ListOrder = [
  { name: "trace_end_lt", by: "trace_end_lt", type: "bigint" },
  { name: "action_key", by: "action_key", type: "bigint" },
];

/** Blocks of an account's actions in a divided index: its shard has the entries, those of the traces the actions. */
function actionsBeside(
  queries: Queries,
  { account, from, to }: { account: Uint8Array; from: bigint; to: bigint },
  actionOf: (account: Fragment) => Fragment,
): Promise<{ seqno: number }[]> {
  return readMatching<Entry, { seqno: number }>({
    queries,
    wanted: maxRows,
    list: keysInOrder(
      { order: inOrderOfLt, sort: "asc", slots: undefined, bounds: { axis: "lt" } },
      {
        ...{ table: "action_accounts", columns: "trace_end_lt, action_key, trace_key", lt: "trace_end_lt" },
        conditions: [SQL`account_key = ${accountKey(account)} and trace_end_lt between ${from} and ${to}`],
      },
    ),
    matching: async (entries, limit) =>
      (await besideRows(queries, () => [gatheredActions(entries)])).query(SQL`
        select a.seqno
        from ${keyLists(entries, { trace_end_lt: "bigint", action_key: "bigint" })} c(trace_end_lt, action_key)
        ${actionOf(SQL`${account}`)}
        order by c.trace_end_lt limit ${limit}`),
  });
}

type RowsOfAccounts = {
  /** Those of `wanted.account`. */
  together: Fragment;
  /** Those of an account whose shard is asked: the others of a divided index do not have them. Absent: they were gathered. */
  alone?: (account: Uint8Array) => Promise<{ seqno: number }[]>;
};

/** An item of a FROM list with the rows of each account. */
async function ofEach(
  queries: Queries,
  accounts: readonly Uint8Array[],
  { together, alone }: RowsOfAccounts,
): Promise<Fragment> {
  if (!alone || !(await queries.isDivided()))
    return SQL`(
      select wanted.account, each.seqno from unnest(${keyList("bytea", accounts)}) wanted(account)
      cross join lateral (${together}) each)`;
  const found: UnitOfAccount[] = [];
  for (const account of accounts)
    for (const { seqno } of await alone(account)) found.push({ account, seqno });
  return SQL`(select * from ${keyLists(found, { account: "bytea", seqno: "integer" })} each(account, seqno))`;
}
