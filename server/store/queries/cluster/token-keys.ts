import SQL, { join, raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import { isPair } from "../../sql/keys.js";
import { inOrder, type KeyOrder } from "../../sql/keyset.js";
import { all, anyOf, distinct, type Fragment, isOneOf, type Page, paged } from "../../sql/where.js";
import { besideRows, type GatheredRows, noRows, rowsOfKeys, tableOf } from "./beside-rows.js";
import { gatheredByKey, gatheredColumns, isAnyOf } from "./gathered-rows.js";
import { pageOfAll } from "./list-keys.js";
import { type OwnedLetter, tokensOfOwners } from "./tokens-of-owners.js";

/** So many accounts, or pairs, are searched one by one, as there is a statement of each shard for each of them. */
const mostOneByOne = 16;

/** Accounts of which a column must have one; without any it may have any value. */
type Wanted = readonly [column: string, accounts: readonly Uint8Array[] | undefined];

/** A list of tokens, whose statements name the rows by their letter. */
type TokenList = {
  readonly letter: OwnedLetter;
  readonly order: KeyOrder;
  /** The condition of a few rows, of which the page has some. */
  readonly named?: Fragment | undefined;
  /** Without it: the columns of the owner and of what the token belongs to, of which indexes have each one, or both, */
  readonly wanted: readonly [Wanted, Wanted];
  /** and conditions of parts of the list that follow each other. */
  readonly parts: readonly (Fragment | undefined)[];
  /** Whether rows are short enough to come with their keys. */
  readonly isShort: boolean;
};

/**
 * The queries for a page of a list, and the page as they have it: of a divided index over the rows of the page alone, of which
 * each shard is asked for its first keys.
 */
export async function besidePage(
  queries: Queries,
  page: Page,
  list: () => TokenList,
): Promise<{ near: Queries; shown: Page }> {
  let shown = page;
  const near = await besideRows(queries, async () => {
    const { letter, named, ...search } = list();
    if (named)
      return [gatheredColumns(letter, SQL`${raw(`${tableOf(letter).name} ${letter}`)} where ${named}`)];
    shown = { ...page, offset: 0 };
    return [await rowsOfPage(queries, { letter, ...search }, page)];
  });
  return { near, shown };
}

type TokenKey = { address: Uint8Array; row: string | null };

async function rowsOfPage(queries: Queries, list: TokenList, page: Page): Promise<GatheredRows> {
  const { letter, wanted, isShort, parts } = list;
  const [[, owners]] = wanted;
  const among = await tokensOfOwners(queries, letter, owners);
  if (among?.length === 0) return noRows(letter);
  // Rows before an offset are not needed.
  const row = (isShort || among) && page.offset === 0 ? `row_to_json(${letter})::text` : "null";
  const end = page.offset + page.limit;
  let keys: TokenKey[] = [];
  for (const part of among ? [anyPartOf(parts)] : parts) {
    if (keys.length === end) break;
    const rest = { limit: end - keys.length, offset: 0 };
    const found = await queries.query<TokenKey>(firstKeys(list, part, { among, row, page: rest }));
    keys = [...keys, ...found];
  }
  const shown = keys.slice(page.offset);
  const addresses = shown.map(({ address }) => address);
  return rowsOfKeys(letter, shown) ?? gatheredByKey(letter, addresses);
}

/** All parts at once: few rows are sorted without an index, which each part has for itself. */
function anyPartOf(parts: TokenList["parts"]): Fragment | undefined {
  const conditions = parts.flatMap((part) => (part ? SQL`(${part})` : []));
  return conditions.length < parts.length ? undefined : SQL`(${join(conditions, " or ")})`;
}

type KeyOptions = {
  /** The tokens that have the rows, if few do. */
  among: readonly Uint8Array[] | undefined;
  row: string;
  page: Page;
};

/** The first rows of a part of the list. */
function firstKeys(
  { letter, order, wanted }: TokenList,
  part: Fragment | undefined,
  { among, row, page }: KeyOptions,
): Fragment {
  const columns = raw([...order.map(([column]) => column), `${row} as row`].join(", "));
  const from = SQL`select ${columns} from ${raw(`${tableOf(letter).name} ${letter}`)}`;
  const search =
    (conditions: readonly (Fragment | undefined)[], by = order) =>
    (page: Page) =>
      SQL`
      ${from} where ${all(...conditions, part, raw(`not ${letter}.destroyed`))} order by ${inOrder(by)} ${paged(page)}`;
  const sides = among ? undefined : sidesOf(wanted);
  if (!sides) {
    const ofAny = wanted.map(([column, accounts]) =>
      anyOf(distinct(accounts), (keys) => isOneOf(column, keys)),
    );
    const isAmong = among && isAnyOf(`${letter}.address`, among);
    // The index of the whole list has many others, too.
    return search(
      [isAmong, ...ofAny],
      order.map(([column, ...form], at) => [at === 0 ? `${column} + 0` : column, ...form]),
    )(page);
  }
  const searches = sides.length === 0 ? [search([])] : sides.map((side) => search([side]));
  return pageOfAll(searches, page, inOrder(order), letter);
}

/** The conditions of the rows of each account, or of each pair if both columns have one; `undefined` if they are too many. */
function sidesOf([[one, given], [other, also]]: TokenList["wanted"]): Fragment[] | undefined {
  const [ones, others] = [distinct(given), distinct(also)];
  if (Math.max(ones.length, 1) * Math.max(others.length, 1) > mostOneByOne) return undefined;
  const is = (column: string) => (account: Uint8Array) => SQL`${raw(column)} = ${account}`;
  if (ones.length === 0 || others.length === 0) return [...ones.map(is(one)), ...others.map(is(other))];
  return ones.flatMap((a) => others.map((b) => isPair([one, other], [SQL`${a}`, SQL`${b}`])));
}
