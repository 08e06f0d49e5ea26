import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../database.js";
import type { Columns, RowOf } from "../declare/table.js";
import { selectJoined } from "../queries/rows.js";
import { all, distinct, type Fragment, type Page, paged } from "../sql/where.js";
import { columnsIn, type ForeignTable } from "./columns.js";
import { accountValues, isOneOfAccounts } from "./values.js";

/**
 * Rows of a table in the form of ours; `rest` follows its name and alias `x` in the statement. `more`: other columns of the
 * result. `place` is the place of a row in the order of the statement.
 */
export function inOurForm<C extends Columns>(
  table: ForeignTable<C>,
  rest: Fragment,
  more: readonly string[] = [],
): Fragment {
  const others = raw([...more, "row_number() over () as place"].map((column) => `, ${column}`).join(""));
  return SQL`(select ${columnsIn("stored", table)}${others} from (select x.* from ${raw(table.name)} x ${rest}) x)`;
}

/** Rows of a table as ours has them, in the order of the statement. */
export async function readRows<C extends Columns>(
  queries: Queries,
  table: ForeignTable<C>,
  rest: Fragment,
): Promise<RowOf<C>[]> {
  const rows = await selectJoined(
    queries,
    { t: table.columns },
    SQL`${inOurForm(table, rest)} t order by t.place`,
  );
  return rows.map(({ t }) => t as RowOf<C>);
}

type Keys = readonly Uint8Array[] | undefined;

/** A page of a list that is filtered by accounts. */
type AccountPage = {
  /** The columns by which a list is filtered; those whose indexes have its order come first. */
  by: readonly (readonly [column: string, accounts: Keys])[];
  where?: readonly (Fragment | undefined)[];
  order: Fragment;
  page: Page;
};

/**
 * The end of a statement, behind a table and its alias `x`. If the first column has several accounts, each of them is read up
 * to the length of the page.
 */
export function pageBy(
  table: Pick<ForeignTable<Columns>, "name">,
  { by, where = [], order, page }: AccountPage,
): Fragment {
  const [first, ...others] = by
    .map(([column, keys]) => [column, distinct(keys)] as const)
    .filter(([, keys]) => keys.length > 0);
  const conditions = all(...others.map(([column, keys]) => isOneOfAccounts(`x.${column}`, keys)), ...where);
  if (!first) return SQL`where ${conditions} order by ${order} ${paged(page)}`;
  const [column, keys] = first;
  if (keys.length === 1)
    return SQL`where ${isOneOfAccounts(`x.${column}`, keys)} and ${conditions} order by ${order} ${paged(page)}`;
  const name = raw(table.name);
  return SQL`where false
    union all
    (select x.* from unnest(${accountValues(keys)}) wanted(account)
    cross join lateral (
      select x.* from ${name} x where x.${raw(column)} = wanted.account and ${conditions}
      order by ${order} limit ${page.offset + page.limit}) x
    order by ${order} ${paged(page)})`;
}
