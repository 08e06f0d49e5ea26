import SQL, { join, raw } from "sql-template-tag";
import { groupBy } from "../../../../shared/values/groups.js";
import { foundIn } from "../../../../shared/values/lookups.js";
import type { Queries, QueryOptions, Statement } from "../../database.js";
import type { Table } from "../../declare/table.js";
import type { Fragment } from "../../sql/where.js";
import { tables } from "../../tables/all-tables.js";

// Citus joins divided tables by their accounts only, and knows no lateral joins with limits. So the rows that a statement joins
// are read first, by one statement that each node answers for its shards, and the statement then runs on the node that is asked,
// over these rows under the names of the tables.

/** Divided tables, by the letters that their rows have here. */
const sources = {
  t: tables.transactions,
  m: tables.messages,
  s: tables.accountStates,
  c: tables.messageContents,
  a: tables.actions,
  x: tables.txLocator,
  l: tables.msgLocator,
  b: tables.blockLocator,
  d: tables.accountSlots,
  p: tables.accountTraces,
  r: tables.traces,
  j: tables.jettonTransfers,
  k: tables.jettonBurns,
  i: tables.nftTransfers,
  e: tables.tokenSlots,
  n: tables.latestAccountStates,
  w: tables.jettonWallets,
  o: tables.nftItems,
};
export type Letter = keyof typeof sources;
const letters = Object.keys(sources) as readonly Letter[];

/** Rows that come as JSON, because most statements need few of their columns: see `gatheredColumns`. */
const inParts: readonly Letter[] = ["n", "w", "o"];

/** The declaration of a divided table. */
export function tableOf(letter: Letter): Table {
  return sources[letter];
}

/** The letter of a divided table. */
export function letterOf(table: string): Letter {
  return foundIn(letters, (letter) => sources[letter].name === table);
}

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
export type KnownRows = { readonly letter: Letter; readonly texts: readonly string[] };

export type GatheredRows = SelectedRows | KnownRows;

/** No rows of a table, for statements that name it. */
export function noRows(letter: Letter): KnownRows {
  return { letter, texts: [] };
}

/** The rows that came with keys; `undefined` if one is not known. */
export function rowsOfKeys(letter: Letter, keys: readonly { row?: string | null }[]): KnownRows | undefined {
  const texts = keys.flatMap(({ row }) => row ?? []);
  return texts.length === keys.length ? { letter, texts } : undefined;
}

/** The column that divides a table. */
export function dividingColumn(letter: Letter): string {
  const { divideBy } = tableOf(letter);
  return divideBy!.column;
}

/** `from`: a FROM list, and a condition, that yields rows by their letter. `text`: of each. */
export function gathered(letter: Letter, from: Fragment, text = `${letter}::text`): SelectedRows {
  const row = raw(`${letter}.${dividingColumn(letter)}, '${letter}' as letter, ${text} as row`);
  return { letter, part: SQL`select ${row} from ${from}` };
}

/** The same of a table that is not divided by accounts, or with a limit. */
export function gatheredAlone(letter: Letter, from: Fragment): SelectedRows {
  return { ...gathered(letter, from), isAlone: true };
}

/** An item of a FROM list that joins the rows of a table that lie with an account. */
export function withAccount(letter: Letter, account: string): Fragment {
  return raw(`join ${sources[letter].name} ${letter} on ${letter}.${dividingColumn(letter)} = ${account}`);
}

/** These are in every statement, as it names them though no row may be there. */
const always: readonly Letter[] = ["t", "m", "s", "c"];

/** The queries themselves, or, if the index is divided, those over the rows that `rows` selects, and those gathered before. */
export async function besideRows(
  queries: Queries,
  rows: () => readonly GatheredRows[] | Promise<readonly GatheredRows[]>,
): Promise<Queries> {
  if (!(await queries.isDivided())) return queries;
  const before = queries instanceof GatheredQueries ? queries : undefined;
  const nodes = before?.nodes ?? queries;
  const wanted = await rows();
  const selected = wanted.filter((each) => "part" in each);
  const together = selected.filter(({ isAlone }) => !isAlone);
  const groups = [together, ...selected.filter(({ isAlone }) => isAlone).map((each) => [each])];
  const found: KnownRows[] = wanted.filter((each) => "texts" in each);
  for (const group of groups) if (group.length > 0) found.push(...(await readRows(nodes, group)));
  const texts = new Map<Letter, ReadonlySet<string>>(
    before?.texts ?? always.map((letter) => [letter, new Set()]),
  );
  for (const letter of new Set(wanted.map((each) => each.letter))) {
    const own = found.filter((each) => each.letter === letter);
    texts.set(letter, new Set([...(texts.get(letter) ?? []), ...own.flatMap((each) => each.texts)]));
  }
  return new GatheredQueries(nodes, texts);
}

/** Statements over rows that were gathered. */
class GatheredQueries implements Queries {
  /** The queries without the gathered rows. */
  readonly nodes: Queries;
  readonly texts: ReadonlyMap<Letter, ReadonlySet<string>>;

  constructor(nodes: Queries, texts: ReadonlyMap<Letter, ReadonlySet<string>>) {
    this.nodes = nodes;
    this.texts = texts;
  }

  query<Row>(statement: Statement, options?: QueryOptions): Promise<Row[]> {
    return this.nodes.query(shadowed(statement, this.texts), options);
  }

  async isDivided(): Promise<boolean> {
    return true;
  }
}

/** The rows that are read beforehand have no index, so of a divided index long pages are read piece by piece. */
const mostAtOnce = 200;

/** Results of `read` for keys, in their order. */
export async function inPieces<Key, Row>(
  queries: Queries,
  keys: readonly Key[],
  read: (piece: readonly Key[]) => Promise<Row[]>,
): Promise<Row[]> {
  if (keys.length <= mostAtOnce || !(await queries.isDivided())) return read(keys);
  const found: Row[] = [];
  for (let from = 0; from < keys.length; from += mostAtOnce)
    found.push(...(await read(keys.slice(from, from + mostAtOnce))));
  return found;
}

async function readRows(nodes: Queries, rows: readonly SelectedRows[]): Promise<KnownRows[]> {
  const parts = rows.map(({ part }) => part);
  const found = await nodes.query<{ letter: Letter; row: string }>(
    SQL`select letter, row from (${join(parts, " union all ")}) near`,
  );
  const byLetter = groupBy(found, ({ letter }) => letter);
  return [...byLetter].map(([letter, rows]) => ({ letter, texts: rows.map(({ row }) => row) }));
}

/** A statement with rows in place of divided tables. */
function shadowed(statement: Statement, rows: ReadonlyMap<Letter, ReadonlySet<string>>): Statement {
  const first = statement.values.length + 1;
  const given = letters.filter((letter) => rows.has(letter));
  const shadows = given.map((letter, at) => {
    const { name } = sources[letter];
    const row = inParts.includes(letter)
      ? `json_populate_record(null::${name}, given::json)`
      : `given::${name}`;
    // In a list of results Citus would not let updates have a function that yields rows.
    return `${name} as materialized (
      select (r).* from (select ${row} as r from unnest($${first + at}::text[]) given offset 0) typed)`;
  });
  const [own, recursive = ""] = /^\s*with\b(\s+recursive\b)?/.exec(statement.text) ?? [];
  const rest = own === undefined ? ` ${statement.text}` : `,${statement.text.slice(own.length)}`;
  const text = `with${recursive} ${shadows.join(", ")}${rest}`;
  return {
    ...statement,
    text,
    values: [...statement.values, ...given.map((letter) => [...rows.get(letter)!])],
  };
}
