import SQL, { empty, raw } from "sql-template-tag";
import type { FromBytes, Queries, Statement } from "../../database.js";
import { type Part, textOf } from "../../declare/record.js";
import { fixedText, type Places } from "../../sql/fixed-text.js";
import { type BytesOf, latin1Text, parsedJson } from "../../sql/row-bytes.js";
import { type Fragment, plannedOnce } from "../../sql/where.js";
import { selectRecords } from "../rows.js";
import { type TokenRow, tokenRows } from "../tokens/tokens.js";
import { type BookRow, bookRows } from "./accounts.js";

/** Extras of the accounts in an answer, once they have come with a page. */
export type PageExtras = { book?: readonly BookRow[]; tokens?: readonly TokenRow[] };
export type ExtraKind = keyof PageExtras;

/**
 * An object to fill with extras that come with a page: none do of a divided index, where one node has the page and others its
 * accounts.
 */
export async function extrasOfPage(queries: Queries): Promise<PageExtras | undefined> {
  return (await queries.isDivided()) ? undefined : {};
}

/** Longer pages come without extras: with them, all texts are copied and none is sent before the last one is made. */
const maxRowsWithExtras = 100;

export type PageOptions = {
  /** How many there are at most. */
  rows: number;
  fromBytes: FromBytes;
  /** Receives the extras; without it they do not come. */
  extras?: PageExtras | undefined;
  /** Whether nothing is read of the snapshot after a page with extras, as is usual. */
  isLast?: boolean;
};

/** `tokens`: whether tokens are among the extras. `columns`: what else a page has. `isInOrder`: see `Statement`. */
type PageForm = { tokens?: boolean; columns?: readonly string[]; isInOrder?: boolean };

/**
 * The statement of a page. `make` selects a text, its addresses, and the same addresses as a list
 * of `accounts`.
 */
export function pageText<Values extends object>(
  make: (places: Places<Values>) => Fragment,
  form: PageForm = {},
): (values: Values, options: PageOptions) => Statement {
  const { columns = [], isInOrder = false } = form;
  const selected = raw(["text", "addresses", ...columns].join(", "));
  const alone = fixedText<Values>((given) => SQL`select ${selected} from (${make(given)}) page`);
  const withExtras = fixedText<Values>((given) => extrasBehind(make(given), form));
  return (values, { rows, fromBytes, extras, isLast = true }) =>
    extras && rows <= maxRowsWithExtras
      ? { ...takingExtras(withExtras(values), fromBytes, extras), isLast, isInOrder }
      : { ...alone(values), fromBytes, isInOrder };
}

const shown = SQL`(select accounts from shown)`;
const book = bookRows(shown);
const shownTokens = tokenRows(shown);

/** A round trip of their own takes longer than reading a short page. Addresses are empty: the book names all accounts. */
function extrasBehind(page: Fragment, { tokens = false, columns = [] }: PageForm): Fragment {
  const others = (value: (column: string) => string) =>
    raw(columns.map((name) => `, ${value(name)}`).join(""));
  const [named, none] = [others((name) => name), others(() => "null")];
  const behind = (kind: ExtraKind, rows: Fragment) => SQL`
    union all select ${raw(`'${kind}'`)}, coalesce(json_agg(extra)::text, '[]'), ''${none} from (${rows}) extra`;
  return SQL`
    with page as materialized (select text, accounts${named} from (${page}) page),
    shown as materialized (
      select array_agg(distinct account) as accounts from page cross join unnest(page.accounts) account
      where account is not null)
    select null as kind, text, '' as addresses${named} from page
    ${behind("book", book)} ${tokens ? behind("tokens", shownTokens) : empty}`;
}

function takingExtras(page: Statement, fromBytes: FromBytes, extras: PageExtras): Statement {
  const take = (row: BytesOf<{ kind: string | null; text: string }>) => {
    if (row.kind === null) return fromBytes(row as never);
    extras[latin1Text(row.kind) as ExtraKind] = parsedJson(row.text);
    return undefined;
  };
  return { ...page, isLast: true, fromBytes: take };
}

/** Source of records, as by `selectRecords`, and the list of accounts in them. */
type RecordPage = { from: Fragment; accounts: string; isPlannedOnce: boolean; isInOrder?: boolean };

/** Records of a page, with all extras if it is short and planned once: else planning these takes longer than reading them. */
export function selectWithExtras<Wire>(
  queries: Queries,
  record: Part<never, Wire>,
  { from, accounts, isPlannedOnce, isInOrder = false }: RecordPage,
  { rows, extras }: Pick<PageOptions, "rows" | "extras">,
): Promise<Wire[]> {
  if (!extras || !isPlannedOnce || rows > maxRowsWithExtras)
    return selectRecords(queries, record, from, { isPlannedOnce, isInOrder });
  const page = SQL`
    select ${raw(textOf(record))} as text, ${raw(accounts)} as accounts from ${from}`;
  const parse = ({ text }: BytesOf<{ text: string }>) => parsedJson<Wire>(text);
  const statement = { ...plannedOnce(extrasBehind(page, { tokens: true })), isInOrder };
  return queries.query(takingExtras(statement, parse, extras));
}
