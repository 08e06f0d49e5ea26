import SQL, { join, raw } from "sql-template-tag";
import type { Queries, Statement } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { all, type Fragment, isOneOf } from "../../sql/where.js";
import { hashPrefix } from "../../tables/directories.js";

// Citus joins divided tables by their accounts only, and knows no lateral joins with limits. So the rows that a statement joins
// are read first, by one statement that each node answers for its shards, and the statement then runs on the coordinator, over
// these rows under the names of the tables.

/** Divided tables, by the letters that their rows have here. */
const sources = {
  t: { table: "transactions", by: "account" },
  m: { table: "messages", by: "account" },
  s: { table: "account_states", by: "account" },
  c: { table: "message_contents", by: "account" },
  a: { table: "actions", by: "trace_prefix" },
  x: { table: "tx_locator", by: "hash_prefix" },
} as const;
type Letter = keyof typeof sources;
const letters = Object.keys(sources) as readonly Letter[];

/** Rows of a divided table: a part of a statement that selects what divides them, letters and texts. */
type SelectedRows = {
  readonly letter: Letter;
  readonly part: Fragment;
  /**
   * Whether it is a statement of its own: limits are those of an account, whose shard then answers alone, and tables are
   * divided by different columns.
   */
  readonly isAlone?: boolean;
};

/** Rows that were read before. */
type KnownRows = { readonly letter: Letter; readonly texts: readonly string[] };

export type GatheredRows = SelectedRows | KnownRows;

/** The rows of tx_locator by which transactions were located. */
export function knownTransactions(located: readonly { hash: Uint8Array; lt: bigint }[]): KnownRows {
  return { letter: "x", texts: located.map(({ hash, lt }) => `(${hashPrefix(hash)},${lt})`) };
}

const withMessages = SQL`transactions t
  join messages m on m.account = t.account and m.tx_lt = t.lt and ${isHash("m.tx_hash", raw("t.hash"))}`;

/** `from`: a FROM list, and a condition, that yields rows by their letter. */
function gathered(letter: Letter, from: Fragment): SelectedRows {
  const row = raw(`${letter}.${sources[letter].by}, '${letter}' as letter, ${letter}::text as row`);
  return { letter, part: SQL`select ${row} from ${from}` };
}

/** The rows `t` of a subquery, which has all columns of transactions. */
export const gatheredTransactionsOf = (rows: Fragment): GatheredRows => gathered("t", SQL`(${rows}) t`);

/** The same of a subquery for one account, with a limit. */
export const gatheredTransactionsOfOne = (rows: Fragment): GatheredRows => ({
  ...gatheredTransactionsOf(rows),
  isAlone: true,
});

/** Transactions that have a message `m` with a condition, these messages, and their contents. */
export function gatheredByMessages(condition: Fragment, first: bigint): GatheredRows[] {
  return [gathered("t", SQL`${withMessages} where ${condition}`), ...gatheredWithContents(condition, first)];
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
  if (places.length === 0) return { letter: "a", texts: [] };
  return { ...gathered("a", SQL`actions a where ${isActionAt(places)}`), isAlone: true };
}

/** Transactions `t` with this condition. */
export const gatheredTransactions = (condition: Fragment): GatheredRows =>
  gathered("t", SQL`transactions t where ${condition}`);

/** Messages `m` with this condition. */
export const gatheredMessages = (condition: Fragment): GatheredRows =>
  gathered("m", SQL`messages m where ${condition}`);

/** Messages `m` with this condition, and their bodies and state inits in slots that begin at `first` or later. */
export function gatheredWithContents(condition: Fragment, first: bigint): GatheredRows[] {
  return [gatheredMessages(condition), ...contentsOf(SQL`messages m`, condition, first)];
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
function ofAccounts(accounts: readonly Uint8Array[] | undefined, names: readonly Letter[]): Fragment {
  if (accounts === undefined) return SQL`true`;
  const each = names.map((name) => isAnyOf(`${name}.account`, accounts));
  return all(...each);
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
export function gatheredLocatedMessages(located: readonly { hash: Uint8Array; lt: bigint }[]): GatheredRows {
  const hashes = located.map(({ hash }) => hash);
  return gatheredMessages(
    SQL`${isAtAnyOf("m.tx_lt", located)}
      and (m.msg_hash = any(${hashes}::bytea[]) or m.msg_hash_norm = any(${hashes}::bytea[]))`,
  );
}

/** The transactions at some lt. */
export function gatheredTransactionsAt(located: readonly { lt: bigint }[]): GatheredRows {
  return gatheredTransactions(isAtAnyOf("t.lt", located));
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

/** These are in every statement, as it names them though no row may be there. */
const always: readonly Letter[] = ["t", "m", "s", "c"];

/** The queries themselves, or, if the index is divided, those over the rows that `rows` selects. */
export async function besideRows(
  queries: Queries,
  rows: () => readonly GatheredRows[] | Promise<readonly GatheredRows[]>,
): Promise<Queries> {
  if (!(await queries.isDivided?.())) return queries;
  const wanted = await rows();
  const selected = wanted.filter((each) => "part" in each);
  const together = selected.filter(({ isAlone }) => !isAlone);
  const groups = [together, ...selected.filter(({ isAlone }) => isAlone).map((each) => [each])];
  const known = wanted.filter((each) => "texts" in each);
  const found = known.flatMap(({ letter, texts }) => texts.map((row) => ({ letter, row })));
  for (const group of groups) if (group.length > 0) found.push(...(await readRows(queries, group)));
  const named = letters.filter(
    (letter) => always.includes(letter) || wanted.some((each) => each.letter === letter),
  );
  const shadows = named.map((letter) => ({
    table: sources[letter].table,
    texts: [...new Set(found.filter((each) => each.letter === letter).map(({ row }) => row))],
  }));
  return {
    query: (statement, options) => queries.query(shadowed(statement, shadows), options),
    isDivided: async () => true,
  };
}

/** The rows that are read beforehand have no index, so of a divided index long pages are read piece by piece. */
const mostAtOnce = 200;

/** Results of `read` for keys, in their order. */
export async function inPieces<Key, Row>(
  queries: Queries,
  keys: readonly Key[],
  read: (piece: readonly Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (keys.length <= mostAtOnce || !(await queries.isDivided?.())) return read(keys);
  const found: Row[] = [];
  for (let from = 0; from < keys.length; from += mostAtOnce)
    found.push(...(await read(keys.slice(from, from + mostAtOnce))));
  return found;
}

function readRows(
  queries: Queries,
  rows: readonly SelectedRows[],
): Promise<{ letter: Letter; row: string }[]> {
  const parts = rows.map(({ part }) => part);
  return queries.query(SQL`select letter, row from (${join(parts, " union all ")}) near`);
}

/** A statement with rows in place of divided tables. */
function shadowed(
  statement: Statement,
  given: readonly { table: string; texts: readonly string[] }[],
): Statement {
  const first = statement.values.length + 1;
  const shadows = given.map(
    ({ table }, at) => `${table} as materialized (
      select (r).* from (select unnest($${first + at}::text[])::${table} as r offset 0) given)`,
  );
  const text = /^\s*with\b/.test(statement.text)
    ? statement.text.replace(/^\s*with\b/, `with ${shadows.join(", ")},`)
    : `with ${shadows.join(", ")} ${statement.text}`;
  return { ...statement, text, values: [...statement.values, ...given.map(({ texts }) => texts)] };
}
