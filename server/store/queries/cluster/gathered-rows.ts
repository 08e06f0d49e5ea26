import SQL, { raw } from "sql-template-tag";
import { isHash } from "../../sql/keys.js";
import { all, distinct, type Fragment, isOneOf } from "../../sql/where.js";
import { type Located, ownersOf } from "../slots/located.js";
import {
  dividingColumn,
  type GatheredRows,
  gathered,
  gatheredAlone,
  type Letter,
  noRows,
  tableOf,
  withAccount,
} from "./beside-rows.js";

const withMessages = SQL`transactions t
  join messages m on m.account = t.account and m.tx_lt = t.lt and ${isHash("m.tx_hash", raw("t.hash"))}`;

/** The rows `t` of a subquery, which has all columns of transactions. */
export const gatheredTransactionsOf = (rows: Fragment): GatheredRows => gathered("t", SQL`(${rows}) t`);

/** The same of a subquery for one account, with a limit. */
export const gatheredTransactionsOfOne = (rows: Fragment): GatheredRows =>
  gatheredAlone("t", SQL`(${rows}) t`);

/** Transactions that have a message `m` with a condition, these messages, and their contents. */
export function gatheredByMessages(condition: Fragment, first: bigint): GatheredRows[] {
  return [
    gathered("t", SQL`${withMessages} where ${condition}`),
    ...gatheredWithContents(condition, { first }),
  ];
}

/** Token events of transactions that received a message `m` with a condition. */
export function gatheredEventsByMessages(condition: Fragment): GatheredRows[] {
  const letters = ["j", "k", "i"] as const;
  return letters.map((letter) =>
    gathered(
      letter,
      SQL`messages m ${withAccount(letter, "m.account")} and ${raw(`${letter}.tx_lt = m.tx_lt`)}
        and ${isHash(`${letter}.tx_hash`, raw("m.tx_hash"))} where ${condition}`,
    ),
  );
}

/** Token contracts that have a message `m` with a condition. */
export function gatheredContractsByMessages(condition: Fragment): GatheredRows[] {
  const letters = ["w", "o"] as const;
  return letters.map((letter) =>
    gatheredColumns(letter, SQL`messages m ${withAccount(letter, "m.account")} where ${condition}`),
  );
}

/** Jetton transfers of transactions `t` with a condition. */
export function gatheredJettonTransfers(condition: Fragment): GatheredRows {
  return gathered(
    "j",
    SQL`transactions t ${withAccount("j", "t.account")} and j.tx_lt = t.lt
      and ${isHash("j.tx_hash", raw("t.hash"))} where ${condition}`,
  );
}

/** Places of actions: their keys, those of their traces, and the ends of these. */
type ActionPlace = { trace_key: bigint; trace_end_lt: bigint; action_key?: bigint };

/** The condition that a row of actions is at one of these places, or in one of the traces: actions_by_lt of their shards. */
export function isActionAt(places: readonly ActionPlace[]): Fragment {
  const traces = [...new Set(places.map(({ trace_key }) => trace_key))];
  const actions = places.flatMap(({ action_key }) => (action_key === undefined ? [] : [action_key]));
  return all(
    isOneOf("trace_prefix", traces),
    SQL`trace_end_lt = any(${places.map(({ trace_end_lt }) => trace_end_lt)}::bigint[])`,
    actions.length === 0 ? undefined : SQL`hash_prefix(action_id) = any(${actions}::bigint[])`,
  );
}

/** The actions at these places, or all of these traces. */
export function gatheredActions(places: readonly ActionPlace[]): GatheredRows {
  if (places.length === 0) return noRows("a");
  return gatheredAlone("a", SQL`actions a where ${isActionAt(places)}`);
}

/** Transactions `t` with this condition. */
export const gatheredTransactions = (condition: Fragment): GatheredRows =>
  gathered("t", SQL`transactions t where ${condition}`);

/** Messages `m` with this condition, of transactions of these accounts if they are known. */
export const gatheredMessages = (condition: Fragment, accounts?: readonly Uint8Array[]): GatheredRows =>
  gathered("m", SQL`messages m where ${all(condition, ofAccounts(accounts, ["m"]))}`);

/** The same, and their bodies and state inits in slots that begin at `first` or later. */
export function gatheredWithContents(
  condition: Fragment,
  { first, accounts }: Pick<Parts, "first" | "accounts">,
): GatheredRows[] {
  const ofBoth = all(condition, ofAccounts(accounts, ["m", "c"]));
  return [gatheredMessages(condition, accounts), ...contentsOf(SQL`messages m`, ofBoth, first)];
}

function contentsOf(from: Fragment, condition: Fragment, first: bigint): GatheredRows[] {
  return ["m.body_hash", "m.init_state_hash"].map((hash) =>
    gathered(
      "c",
      SQL`${from} join message_contents c on c.account = m.account and ${isHash("c.hash", raw(hash))}
        and c.from_lt >= ${first} and c.from_lt <= m.tx_lt
        where ${condition}`,
    ),
  );
}

/** Names the accounts of all tables that are joined, so that other shards are left out. */
function ofAccounts(
  accounts: readonly Uint8Array[] | undefined,
  names: readonly Letter[],
): Fragment | undefined {
  if (!accounts) return undefined;
  const known = distinct(accounts);
  return all(...names.map((name) => isAnyOf(`${name}.account`, known)));
}

/** For one value an equation, which Citus routes without a plan of several nodes. */
export function isAnyOf(column: string, accounts: readonly Uint8Array[]): Fragment {
  return accounts.length === 1
    ? SQL`${raw(column)} = ${accounts[0]}`
    : SQL`${raw(column)} = any(${accounts}::bytea[])`;
}

/** The condition that a column is the lt of something that was located. */
export function isAtAnyOf(column: string, located: readonly { lt: bigint }[]): Fragment {
  return SQL`${raw(column)} = any(${located.map(({ lt }) => lt)}::bigint[])`;
}

/** The messages with located hashes, sent or normalized. */
export function gatheredLocatedMessages(located: readonly Located[]): GatheredRows {
  const hashes = located.map(({ hash }) => hash);
  return gatheredMessages(
    SQL`${isAtAnyOf("m.tx_lt", located)}
      and (m.msg_hash = any(${hashes}::bytea[]) or m.msg_hash_norm = any(${hashes}::bytea[]))`,
    ownersOf(located),
  );
}

/** The transactions at the lt of what was located. */
export function gatheredTransactionsAt(located: readonly Located[]): GatheredRows {
  return gatheredTransactions(all(isAtAnyOf("t.lt", located), ofAccounts(ownersOf(located), ["t"])));
}

/** The same, and the entries of account_traces that lead to their traces: account_traces_by_trace. */
export function gatheredPlacesAt(located: readonly Located[]): GatheredRows[] {
  return [
    gatheredTransactionsAt(located),
    gathered(
      "p",
      SQL`transactions t ${withAccount("p", "t.account")} and ${isHash("p.trace_id", raw("t.trace_id"))}
        where ${all(isAtAnyOf("t.lt", located), ofAccounts(ownersOf(located), ["t", "p"]))}`,
    ),
  ];
}

type Parts = {
  /** Condition on transactions `t`. */
  condition: Fragment;
  /** Start of the slot of the first one. */
  first: bigint;
  /** The accounts of the transactions, if they are known. */
  accounts?: readonly Uint8Array[] | undefined;
};

/** Transactions with their messages. */
export function gatheredSides({ condition, accounts }: Omit<Parts, "first">): GatheredRows[] {
  return [
    gatheredTransactions(all(condition, ofAccounts(accounts, ["t"]))),
    gathered("m", SQL`${withMessages} where ${all(condition, ofAccounts(accounts, ["t", "m"]))}`),
  ];
}

/** Transactions with their messages and the contents of these. */
export function gatheredTraceParts({ condition, first, accounts }: Parts): GatheredRows[] {
  return [
    ...gatheredSides({ condition, accounts }),
    ...contentsOf(withMessages, all(condition, ofAccounts(accounts, ["t", "m", "c"])), first),
  ];
}

/** A column, which may have another value than the stored one. */
type GatheredColumn = string | readonly [name: string, value: string];

/** Rows that come as JSON: all columns, or these beside what divides the table. `from`: as of `gathered`. */
export function gatheredColumns(
  letter: Letter,
  from: Fragment,
  columns: readonly GatheredColumn[] = Object.keys(tableOf(letter).columns),
): GatheredRows {
  const members = [dividingColumn(letter), ...columns].map((each) =>
    typeof each === "string" ? ([each, `${letter}.${each}`] as const) : each,
  );
  const text = [...new Map(members)].map(([name, value]) => `'${name}', ${value}`).join(", ");
  return gathered(letter, from, `json_build_object(${text})::text`);
}

/** The rows of these accounts: a primary key in their shards. */
export function gatheredByKey(
  letter: Letter,
  accounts: readonly Uint8Array[],
  columns?: readonly GatheredColumn[],
): GatheredRows {
  if (accounts.length === 0) return noRows(letter);
  const key = `${letter}.${dividingColumn(letter)}`;
  const from = raw(`${tableOf(letter).name} ${letter}`);
  return gatheredColumns(letter, SQL`${from} where ${isAnyOf(key, distinct(accounts))}`, columns);
}

/** The latest states of accounts: all columns, or these beside the account. */
export function gatheredLatest(
  accounts: readonly Uint8Array[],
  columns?: readonly GatheredColumn[],
): GatheredRows {
  return gatheredByKey("n", accounts, columns);
}

/** Transactions with all that their answers show of other divided tables. */
export function gatheredParts(parts: Parts): GatheredRows[] {
  const { condition, accounts } = parts;
  const state = (lt: string, hash: string) =>
    gathered(
      "s",
      SQL`transactions t join account_states s on s.account = t.account and s.lt = ${raw(lt)} and ${isHash("s.hash", raw(hash))}
        where ${all(condition, ofAccounts(accounts, ["t", "s"]))}`,
    );
  return [
    ...gatheredTraceParts(parts),
    state("t.prev_trans_lt", "t.account_state_hash_before"),
    state("t.lt", "t.account_state_hash_after"),
  ];
}
