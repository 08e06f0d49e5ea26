import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { type TakeText, taking } from "../../row-bytes.js";
import { type Direction, ordered, type Page } from "../../where.js";
import { type PageExtras, pageText } from "../accounts/page-extras.js";
import { isOfSlot, pageOfSlots, readPage, type SlotPage, slotPage } from "../slots/slot-pages.js";
import { windowsOf } from "../slots/slot-windows.js";
import { readSlots } from "../slots/slots.js";
import { hasOnly, ltNames, ltRange, type TransactionFilter } from "./transaction-filter.js";
import { pageColumns, withParts } from "./transaction-text.js";

/**
 * One page of all transactions by their lt, if a filter asks nothing else of them and the slots where the list begins have
 * it; else `undefined`. One statement finds and reads it.
 */
export async function readByLt<Taken>(
  queries: Queries,
  filter: TransactionFilter,
  { sort, ...page }: Page & { sort: Direction },
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[] | undefined> {
  const { account, exclude_account } = filter;
  if (account?.length || exclude_account?.length || !hasOnly(filter, ...ltNames)) return undefined;
  const range = ltRange(filter);
  const [window] = windowsOf(await readSlots(queries), sort, { axis: "lt", ...range });
  if (!window || range.from > range.to) return [];
  const values = { ...slotPage(window, page), ...range };
  const options = { rows: page.limit, fromBytes: taking(take), extras };
  return readPage(queries, window, (more) => pages[sort](values, { ...options, ...more }));
}

type Values = SlotPage & { from: bigint; to: bigint };

const pages = { asc: pagesByLt("asc"), desc: pagesByLt("desc") };

/** By transactions_by_lt of each slot. */
function pagesByLt(sort: Direction) {
  return pageText<Values>(
    (given) => {
      const search = SQL`
      select * from transactions where ${isOfSlot("lt", given)} and lt between ${given.from} and ${given.to}
      order by ${ordered(sort, "lt", "account")} limit ${given.rows}`;
      return SQL`
      select ${pageColumns}
      from ${pageOfSlots(given, search, { key: "lt", tie: "account", sort })} t
      ${withParts({ from: given.first, to: given.greatest }, "t.slot", given.first)}
      order by ${ordered(sort, "t.lt", "t.account")}`;
    },
    { isInOrder: true },
  );
}
