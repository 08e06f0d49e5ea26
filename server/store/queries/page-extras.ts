import SQL, { empty, raw } from "sql-template-tag";
import type { FromBytes, Queries, Statement } from "../database.js";
import { type Part, textOf } from "../declare/record.js";
import { fixedText, type Places } from "../fixed-text.js";
import { type BytesOf, latin1Text, parsedJson } from "../row-bytes.js";
import { type Fragment, plannedOnce } from "../where.js";
import { type BookRow, bookRows } from "./accounts.js";
import { selectRecords } from "./rows.js";
import { type TokenRow, tokenRows } from "./tokens.js";

/** What an answer shows of the accounts in it, once it has come with a page. */
export type PageExtras = { book?: readonly BookRow[]; tokens?: readonly TokenRow[] };

/** Longer pages come without extras: with them, all texts are copied and none is sent before the last one is made. */
const maxRowsWithExtras = 100;

export type PageOptions = {
  /** How many there are at most. */
  rows: number;
  fromBytes: FromBytes;
  /** Where the extras go; without it they do not come. */
  extras?: PageExtras | undefined;
  /** Whether nothing is read of the snapshot after a page with extras, as is usual. */
  isLast?: boolean;
};

/** `tokens`: whether tokens are among the extras. `columns`: what else a page has. `isInOrder`: see `Statement`. */
type PageForm = { tokens?: boolean; columns?: readonly string[]; isInOrder?: boolean };

/**
 * The statement of a page, whose text is made once. `make` selects a text, its addresses, and the same addresses as a list
 * of `accounts`.
 */
export function pageText<Values extends object>(
  make: (places: Places<Values>) => Fragment,
  form: PageForm = {},
): (values: Values, options: PageOptions) => Statement {
  const { isInOrder = false } = form;
  const columns = raw(columnsOf(form).join(", "));
  const alone = fixedText<Values>((given) => SQL`select ${columns} from (${make(given)}) page`);
  const withExtras = fixedText<Values>((given) => extrasBehind(make(given), form));
  return (values, { rows, fromBytes, extras, isLast = true }) =>
    extras && rows <= maxRowsWithExtras
      ? { ...takingExtras(withExtras(values), fromBytes, extras), isLast, isInOrder }
      : { ...alone(values), fromBytes, isInOrder };
}

function columnsOf({ columns = [] }: PageForm): readonly string[] {
  return ["text", "addresses", ...columns];
}

const shown = SQL`(select accounts from shown)`;
const book = bookRows(shown);
const shownTokens = tokenRows(shown);

/** A round trip of their own takes longer than reading a short page. */
function extrasBehind(page: Fragment, { tokens = false, ...form }: PageForm): Fragment {
  const columns = columnsOf(form);
  const behind = (kind: keyof PageExtras, rows: Fragment) => {
    const others = columns.slice(1).map(() => ", null");
    return SQL`
    union all select ${raw(`'${kind}'`)}, coalesce(json_agg(extra)::text, '[]')${raw(others.join(""))} from (${rows}) extra`;
  };
  return SQL`
    with page as materialized (${page}),
    shown as materialized (
      select array_agg(distinct account) as accounts from page cross join unnest(page.accounts) account
      where account is not null)
    select null as kind, ${raw(columns.join(", "))} from page
    ${behind("book", book)} ${tokens ? behind("tokens", shownTokens) : empty}`;
}

function takingExtras(page: Statement, fromBytes: FromBytes, extras: PageExtras): Statement {
  const take = (row: BytesOf<{ kind: string | null; text: string }>) => {
    if (row.kind === null) return fromBytes(row as never);
    extras[latin1Text(row.kind) as keyof PageExtras] = parsedJson(row.text);
    return undefined;
  };
  return { ...page, isLast: true, fromBytes: take };
}

/** Where records are read, as by `selectRecords`, and the list of accounts in them. */
type RecordPage = { from: Fragment; accounts: string; isPlannedOnce: boolean };

/** Records of a page, with all extras if it is short and planned once: else planning these takes longer than reading them. */
export function selectWithExtras<Wire>(
  queries: Queries,
  record: Part<never, Wire>,
  { from, accounts, isPlannedOnce }: RecordPage,
  { rows, extras }: Pick<PageOptions, "rows" | "extras">,
): Promise<Wire[]> {
  if (!extras || !isPlannedOnce || rows > maxRowsWithExtras)
    return selectRecords(queries, record, from, { isPlannedOnce });
  const page = SQL`
    select ${raw(textOf(record))} as text, null as addresses, ${raw(accounts)} as accounts from ${from}`;
  const parse = ({ text }: BytesOf<{ text: string }>) => parsedJson<Wire>(text);
  return queries.query(takingExtras(plannedOnce(extrasBehind(page, { tokens: true })), parse, extras));
}
