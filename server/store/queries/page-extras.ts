import SQL, { empty, raw } from "sql-template-tag";
import type { FromBytes, Statement } from "../database.js";
import { fixedText, type Places } from "../fixed-text.js";
import { type BytesOf, latin1Text } from "../row-bytes.js";
import type { Fragment } from "../where.js";
import { type BookRow, bookRows } from "./accounts.js";
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
  // A round trip of their own takes longer than reading a short page.
  const behind = (kind: keyof PageExtras, rows: Fragment) => SQL`
    union all select ${raw(`'${kind}'`)}, coalesce(json_agg(extra)::text, '[]'), null from (${rows}) extra`;
  const shown = SQL`(select accounts from shown)`;
  const alone = fixedText<Values>((given) => SQL`select text, addresses from (${make(given)}) page`);
  const withExtras = fixedText<Values>(
    (given) => SQL`
    with page as materialized (${make(given)}),
    shown as materialized (
      select array_agg(distinct account) as accounts from page cross join unnest(page.accounts) account
      where account is not null)
    select null as kind, text, addresses from page
    ${behind("book", bookRows(shown))}
    ${tokens ? behind("tokens", tokenRows(shown)) : empty}`,
  );
  return (values, { rows, fromBytes, extras }) =>
    extras && rows <= maxRowsWithExtras
      ? { ...withExtras(values), isLast: true, fromBytes: taking(fromBytes, extras) }
      : { ...alone(values), fromBytes };
}

function taking(fromBytes: FromBytes, extras: PageExtras): FromBytes {
  return (row: BytesOf<{ kind: string | null; text: string }>) => {
    if (row.kind === null) return fromBytes(row as never);
    extras[latin1Text(row.kind) as keyof PageExtras] = JSON.parse(Buffer.from(row.text).toString());
    return undefined;
  };
}
