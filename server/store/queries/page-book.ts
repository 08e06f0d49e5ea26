import SQL from "sql-template-tag";
import type { Statement } from "../database.js";
import { fixedText, type Places } from "../fixed-text.js";
import { type BytesOf, type RecordText, type TakeText, taking } from "../row-bytes.js";
import type { Fragment } from "../where.js";
import { type BookRow, bookRows } from "./accounts.js";

/** Takes the rows of the address book that a page comes with. */
export type TakeBook = (rows: readonly BookRow[]) => void;

/** Longer pages have a book of their own: with it, all texts of a page are copied and none is sent before the last is made. */
const maxRowsWithBook = 100;

/**
 * The statement of a page, whose text is made once. Rows of `make` are a text, its addresses, and the same addresses as a
 * list of `accounts`.
 */
export function pageText<Values extends object>(make: (places: Places<Values>) => Fragment) {
  const alone = fixedText<Values>((given) => SQL`select text, addresses from (${make(given)}) page`);
  const withBook = fixedText<Values>((given) => withBookBehind(make(given)));
  return <Taken>(
    values: Values,
    { maxRows, take, takeBook }: { maxRows: number; take: TakeText<Taken>; takeBook?: TakeBook | undefined },
  ): Statement =>
    takeBook && maxRows <= maxRowsWithBook
      ? takingBook(withBook(values), take, takeBook)
      : taking(alone(values), take);
}

/** The book as one row behind the page: a round trip of its own takes longer than reading a short page. */
function withBookBehind(page: Fragment): Fragment {
  const accounts = SQL`
    (select array_agg(distinct account) from page cross join unnest(page.accounts) account where account is not null)`;
  return SQL`
    with page as materialized (${page})
    select text, addresses, null as book from page
    union all
    select null, null, coalesce(json_agg(entry)::text, '[]') from (${bookRows(accounts)}) entry`;
}

/** Nothing is read of the snapshot after it. */
function takingBook<Taken>(statement: Statement, take: TakeText<Taken>, takeBook: TakeBook): Statement {
  const { fromBytes: takeRow, ...page } = taking(statement, take);
  const fromBytes = (row: BytesOf<RecordText & { book: string | null }>) => {
    if (row.book === null) return takeRow!(row as never);
    takeBook(JSON.parse(Buffer.from(row.book).toString()));
    return undefined;
  };
  return { ...page, isLast: true, fromBytes };
}
