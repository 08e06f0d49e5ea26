import SQL, { join, raw } from "sql-template-tag";
import type { Columns } from "../declare/table.js";
import { selectJoined } from "../queries/rows.js";
import type { IndexReads } from "../reads/index-reads.js";
import { all, distinct, type Fragment, ordered, paged, within } from "../sql/where.js";
import { jettonBurns, jettonTransfers, nftTransfers } from "../tables/token-events.js";
import type { ForeignTable } from "./columns.js";
import { inOurForm } from "./rows.js";
import { foreign } from "./tables.js";
import { accountValues, hashBytes, isOneOfAccounts, withinTimes } from "./values.js";

const tables: Readonly<Record<string, ForeignTable<Columns>>> = {
  [jettonTransfers.name]: foreign.jettonTransfers,
  [jettonBurns.name]: foreign.jettonBurns,
  [nftTransfers.name]: foreign.nftTransfers,
};

export const tokenEventReads: Pick<IndexReads, "listTokenEvents"> = {
  async listTokenEvents(queries, list, filter, { sort, ...page }) {
    const table = tables[list.table.name]!;
    const byTime = filter.start_utime !== undefined || filter.end_utime !== undefined;
    const order = ordered(sort, ...(byTime ? ["x.tx_now"] : []), "x.tx_lt", hashBytes("x.tx_hash"));
    const { direction, accounts } = filter;
    const where = all(
      list.listed ? SQL`not x.tx_aborted` : undefined,
      withinTimes("x.tx_now", filter.start_utime, filter.end_utime),
      within("x.tx_lt", filter.start_lt, filter.end_lt),
      ...Object.entries<readonly Uint8Array[] | undefined>(accounts).map(([column, keys]) =>
        keys?.length ? isOneOfAccounts(`x.${column}`, keys) : undefined,
      ),
    );
    const sides = direction === "in" || direction === "out" ? [list[direction]] : [list.out, list.in];
    const owners = distinct(filter.owners);
    const rest =
      owners.length === 0
        ? SQL`where ${where} order by ${order} ${paged(page)}`
        : ofOwners(
            sides.filter((side) => side !== undefined),
            {
              table: table.name,
              owners,
              where,
              ending: SQL`order by ${order} limit ${page.offset + page.limit}`,
            },
            SQL`order by ${order} ${paged(page)}`,
          );
    const rows = await selectJoined(
      queries,
      { t: table.columns },
      SQL`${inOurForm(table, rest)} t order by t.place`,
    );
    return rows.map((row) => list.record.present(row as never));
  },
};

type Search = { table: string; owners: readonly Uint8Array[]; where: Fragment; ending: Fragment };

/** Reads for every owner and side no more rows than could be on the page. An event with two of the owners is listed once. */
function ofOwners(
  sides: readonly string[],
  { table, owners, where, ending }: Search,
  order: Fragment,
): Fragment {
  const parts = sides.map(
    (side) => SQL`
      select one.* from unnest(${accountValues(owners)}) wanted(account) cross join lateral (
        select x.* from ${raw(table)} x where x.${raw(side)} = wanted.account and ${where} ${ending}) one`,
  );
  return SQL`where false
    union all
    (select * from (${join(parts, " union ")}) x ${order})`;
}
