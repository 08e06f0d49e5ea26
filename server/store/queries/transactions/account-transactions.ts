import SQL from "sql-template-tag";
import { addressToBytes } from "../../address-bytes.js";
import type { Queries } from "../../database.js";
import { type TakeText, taking } from "../../row-bytes.js";
import { type Direction, greatest, keyList, least, ordered, type Page } from "../../where.js";
import { type PageExtras, pageText } from "../accounts/page-extras.js";
import { type CountedSlot, countedSlots } from "../slots/slots.js";
import { hasOnly, ltNames, ltRange, type TransactionFilter } from "./transaction-filter.js";
import { pageColumns, withParts } from "./transaction-text.js";

/**
 * One page of the transactions of an account, if a filter asks nothing else of them but their lt; `undefined` if it does.
 * How many the account has in which slot tells where the page is, so that one statement finds and reads it.
 */
export async function readOfAccount<Taken>(
  queries: Queries,
  filter: TransactionFilter,
  { sort, limit, offset }: Page & { sort: Direction },
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[] | undefined> {
  const [account, ...others] = filter.account ?? [];
  if (!account || others.length > 0 || filter.exclude_account?.length || !hasOnly(filter, ...ltNames))
    return undefined;
  const key = addressToBytes(account);
  const { parts, skipped } = placeOf(await countedSlots(queries, [key]), filter, { sort, limit, offset });
  if (parts.length === 0) return [];
  const slots = parts.map(({ slot }) => slot);
  const from = parts.map((part) => part.from);
  const to = parts.map((part) => part.to);
  const values = {
    account: key,
    slots,
    from,
    to,
    first: least(slots),
    least: least(from),
    greatest: greatest(to),
    rows: offset - skipped + limit,
    limit,
    offset: offset - skipped,
  };
  return queries.query(pages[sort](values, { rows: limit, fromBytes: taking(take), extras }));
}

/** A slot, by its beginning, and the lt of it that are searched. */
type Part = { slot: bigint; from: bigint; to: bigint };

/** Slot parts that contain the page, and rows before them. Parts of slots are not counted. */
function placeOf(
  counted: readonly CountedSlot[],
  filter: TransactionFilter,
  { sort, limit, offset }: Page & { sort: Direction },
): { parts: Part[]; skipped: number } {
  const range = ltRange(filter);
  const parts: Part[] = [];
  let skipped = 0n;
  let missing = BigInt(offset + limit);
  for (const { from_lt, to_lt, n } of sort === "desc" ? counted.toReversed() : counted) {
    const [from, to] = [greatest([from_lt, range.from]), least([to_lt - 1n, range.to])];
    if (missing <= 0n || n === 0n || from > to) continue;
    const isWhole = from === from_lt && to === to_lt - 1n;
    if (isWhole) missing -= n;
    if (isWhole && parts.length === 0 && skipped + n <= offset) skipped += n;
    else parts.push({ slot: from_lt, from, to });
  }
  return { parts, skipped: Number(skipped) };
}

type Values = {
  account: Uint8Array;
  slots: readonly bigint[];
  from: readonly bigint[];
  to: readonly bigint[];
  first: bigint;
  least: bigint;
  greatest: bigint;
  rows: number;
} & Page;

const pages = { asc: pagesOfAccount("asc"), desc: pagesOfAccount("desc") };

/** By index-only scans of transactions_by_account, of no more rows than could be on the page in each slot. */
function pagesOfAccount(sort: Direction) {
  return pageText<Values>((given) => {
    const isOfAccount = SQL`account = ${given.account} and lt between ${given.least} and ${given.greatest}`;
    return SQL`
      select ${pageColumns}
      from (
        select part.slot, found.lt
        from unnest(
          ${keyList("bigint", given.slots)}, ${keyList("bigint", given.from)}, ${keyList("bigint", given.to)}
        ) part(slot, from_lt, to_lt)
        cross join lateral (
          select lt from transactions where ${isOfAccount} and lt between part.from_lt and part.to_lt
          order by ${ordered(sort, "lt")} limit ${given.rows}) found
        order by ${ordered(sort, "found.lt")} limit ${given.limit} offset ${given.offset}) page
      cross join lateral (select * from transactions where ${isOfAccount} and lt = page.lt offset 0) t
      ${withParts({ from: given.least, to: given.greatest }, "page.slot", given.first)}
      order by ${ordered(sort, "t.lt")}`;
  });
}
