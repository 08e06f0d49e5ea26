import SQL, { raw } from "sql-template-tag";
import type { FromBytes, Queries, Statement } from "../database.js";
import { type Part, textOf } from "../declare/record.js";
import { fixedText, type Places } from "../fixed-text.js";
import { type BytesOf, latin1Text, parsedJson } from "../row-bytes.js";
import { type Fragment, plannedOnce } from "../where.js";
import { type BookRow, bookRows } from "./accounts.js";
import { selectRecords } from "./rows.js";
import { type TokenRow, tokenRows } from "./tokens.js";

/** What an answer shows of the accounts in it, once it has come with a page. Nothing is read of the snapshot after that. */
export type PageExtras = { book?: readonly BookRow[]; tokens?: readonly TokenRow[] };

/** Longer pages come without extras: with them, all texts are copied and none is sent before the last one is made. */
const maxRowsWithExtras = 100;

export type PageOptions = {
  /** How many there are at most. */
  rows: number;
  fromBytes: FromBytes;
  /** Where the extras go; without it they do not come. */
  extras?: PageExtras | undefined;
};

/**
 * The statement of a page, whose text is made once. `make` selects a text, its addresses, and the same addresses as a list
 * of `accounts`. `tokens`: whether tokens are among the extras.
 */
export function pageText<Values extends object>(
  make: (places: Places<Values>) => Fragment,
  { tokens = false } = {},
): (values: Values, options: PageOptions) => Statement {
  const alone = fixedText<Values>((given) => SQL`select text, addresses from (${make(given)}) page`);
  const withExtras = fixedText<Values>((given) => extrasBehind(make(given), { tokens }));
  return (values, { rows, fromBytes, extras }) =>
    extras && rows <= maxRowsWithExtras
      ? takingExtras(withExtras(values), fromBytes, extras)
      : { ...alone(values), fromBytes };
}

const shown = SQL`(select accounts from shown)`;
const book = behind("book", bookRows(shown));
const bookAndTokens = SQL`${book}${behind("tokens", tokenRows(shown))}`;

/** A round trip of their own takes longer than reading a short page. */
function extrasBehind(page: Fragment, { tokens }: { tokens: boolean }): Fragment {
  return SQL`
    with page as materialized (${page}),
    shown as materialized (
      select array_agg(distinct account) as accounts from page cross join unnest(page.accounts) account
      where account is not null)
    select null as kind, text, addresses from page ${tokens ? bookAndTokens : book}`;
}

function behind(kind: keyof PageExtras, rows: Fragment): Fragment {
  return SQL`
    union all select ${raw(`'${kind}'`)}, coalesce(json_agg(extra)::text, '[]'), null from (${rows}) extra`;
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
