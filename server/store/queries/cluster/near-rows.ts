import SQL, { join, raw } from "sql-template-tag";
import type { Queries, Statement } from "../../database.js";
import { isHash } from "../../keys.js";
import { all, type Fragment } from "../../where.js";

// Citus joins divided tables by their accounts only, and knows no lateral joins with limits. So the rows that a statement joins
// are read first, by one statement that each node answers for its shards, and the statement then runs on the coordinator, over
// these rows under the names of the tables.

/** Divided tables, by the letters that their rows have here. */
const sources = {
  t: "transactions",
  m: "messages",
  s: "account_states",
  c: "message_contents",
} as const;
type Letter = keyof typeof sources;
const letters = Object.keys(sources) as readonly Letter[];

/** Rows of a divided table: a part of a statement that selects their accounts, letters and texts. */
export type NearRows = {
  readonly part: Fragment;
  /** Whether it is a statement: limits are those of an account, whose shard then answers alone. */
  readonly isAlone?: boolean;
};

const withMessages = SQL`transactions t
  join messages m on m.account = t.account and m.tx_lt = t.lt and ${isHash("m.tx_hash", raw("t.hash"))}`;

/** `from`: a FROM list, and a condition, that yields rows by their letter. */
function near(letter: Letter, from: Fragment): NearRows {
  const row = raw(`${letter}.account, '${letter}' as letter, ${letter}::text as row`);
  return { part: SQL`select ${row} from ${from}` };
}

/** The rows `t` of a subquery, which has all columns of transactions. */
export const nearTransactionsOf = (rows: Fragment): NearRows => near("t", SQL`(${rows}) t`);

/** The same of a subquery for one account, with a limit. */
export const nearTransactionsOfOne = (rows: Fragment): NearRows => ({
  ...nearTransactionsOf(rows),
  isAlone: true,
});

/** Transactions that have a message `m` with a condition, these messages, and their contents. */
export function nearByMessages(condition: Fragment, first: bigint): NearRows[] {
  return [near("t", SQL`${withMessages} where ${condition}`), ...nearWithContents(condition, first)];
}

/** Transactions `t` with this condition. */
export const nearTransactions = (condition: Fragment): NearRows =>
  near("t", SQL`transactions t where ${condition}`);

/** Messages `m` with this condition. */
export const nearMessages = (condition: Fragment): NearRows => near("m", SQL`messages m where ${condition}`);

/** Messages `m` with this condition, and their bodies and state inits in slots that begin at `first` or later. */
export function nearWithContents(condition: Fragment, first: bigint): NearRows[] {
  return [nearMessages(condition), ...contentsOf(SQL`messages m`, condition, first)];
}

function contentsOf(from: Fragment, condition: Fragment, first: bigint): NearRows[] {
  return ["m.body_hash", "m.init_state_hash"].map((hash) =>
    near(
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
export function nearLocatedMessages(located: readonly { hash: Uint8Array; lt: bigint }[]): NearRows {
  const hashes = located.map(({ hash }) => hash);
  return nearMessages(
    SQL`${isAtAnyOf("m.tx_lt", located)}
      and (m.msg_hash = any(${hashes}::bytea[]) or m.msg_hash_norm = any(${hashes}::bytea[]))`,
  );
}

/** The transactions at some lt. */
export function nearTransactionsAt(located: readonly { lt: bigint }[]): NearRows {
  return nearTransactions(isAtAnyOf("t.lt", located));
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
export function nearSides({ condition, accounts }: Omit<Parts, "first">): NearRows[] {
  return [
    nearTransactions(all(condition, ofAccounts(accounts, ["t"]))),
    near("m", SQL`${withMessages} where ${all(condition, ofAccounts(accounts, ["t", "m"]))}`),
  ];
}

/** Transactions with their messages and the contents of these. */
export function nearTraceParts({ condition, first, accounts }: Parts): NearRows[] {
  return [
    ...nearSides({ condition, accounts }),
    ...contentsOf(withMessages, all(condition, ofAccounts(accounts, ["t", "m", "c"])), first),
  ];
}

/** Transactions with all that their answers show of other divided tables. */
export function nearParts(parts: Parts): NearRows[] {
  const { condition, accounts } = parts;
  const state = (lt: string, hash: string) =>
    near(
      "s",
      SQL`transactions t join account_states s on s.account = t.account and s.lt = ${raw(lt)} and ${isHash("s.hash", raw(hash))}
        where ${all(condition, ofAccounts(accounts, ["t", "s"]))}`,
    );
  return [
    ...nearTraceParts(parts),
    state("t.prev_trans_lt", "t.account_state_hash_before"),
    state("t.lt", "t.account_state_hash_after"),
  ];
}

/** The queries themselves, or, if the index is divided, those over the rows that `rows` selects. */
export async function besideRows(
  queries: Queries,
  rows: () => readonly NearRows[] | Promise<readonly NearRows[]>,
): Promise<Queries> {
  if (!(await queries.isDivided?.())) return queries;
  const wanted = await rows();
  const together = wanted.filter(({ isAlone }) => !isAlone);
  const groups = [together, ...wanted.filter(({ isAlone }) => isAlone).map((each) => [each])];
  const found: { letter: Letter; row: string }[] = [];
  for (const group of groups) if (group.length > 0) found.push(...(await readRows(queries, group)));
  const texts = letters.map((letter) => [
    ...new Set(found.filter((each) => each.letter === letter).map(({ row }) => row)),
  ]);
  return {
    query: (statement, options) => queries.query(shadowed(statement, texts), options),
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

function readRows(queries: Queries, rows: readonly NearRows[]): Promise<{ letter: Letter; row: string }[]> {
  const parts = rows.map(({ part }) => part);
  return queries.query(SQL`select letter, row from (${join(parts, " union all ")}) near`);
}

/** A statement with rows in place of divided tables. */
function shadowed(statement: Statement, texts: readonly (readonly string[])[]): Statement {
  const first = statement.values.length + 1;
  const shadows = letters.map((letter, at) => {
    const table = sources[letter];
    return `${table} as materialized (
      select (r).* from (select unnest($${first + at}::text[])::${table} as r offset 0) given)`;
  });
  const text = /^\s*with\b/.test(statement.text)
    ? statement.text.replace(/^\s*with\b/, `with ${shadows.join(", ")},`)
    : `with ${shadows.join(", ")} ${statement.text}`;
  return { ...statement, text, values: [...statement.values, ...texts] };
}
