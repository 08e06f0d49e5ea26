import SQL, { raw } from "sql-template-tag";
import { codeOf, directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { type TakeText, taking } from "../../sql/row-bytes.js";
import { all, type Direction, type Fragment, ordered, type Page, plannedOnce } from "../../sql/where.js";
import { type PageExtras, pageText } from "../accounts/page-extras.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredLocatedMessages } from "../cluster/gathered-rows.js";
import type { Located } from "../slots/located.js";
import {
  accountOfMessage,
  isAmong,
  locateMessages,
  locateTransactions,
  locationsOf,
  messagesAt,
  messagesIn,
  type NamedTransaction,
  wanted,
} from "../slots/locators.js";
import { hasOnly, messageConditions, type TransactionFilter } from "./transaction-filter.js";
import { pageColumns, withParts } from "./transaction-text.js";

/**
 * One page of the transactions that a filter names by hashes, if it asks nothing else of them but the direction of the
 * messages; `undefined` if it does. Then no list is searched: a locator, then the rows at its lt.
 */
export async function readNamed<Taken>(
  queries: Queries,
  filter: TransactionFilter,
  { sort, ...page }: Page & { sort: Direction },
  take: TakeText<Taken>,
  extras?: PageExtras,
): Promise<Taken[] | undefined> {
  const { account, exclude_account, hash, msg_hash, direction } = filter;
  const isByHash = hash?.length && hasOnly(filter, "hash");
  const isByMessage = msg_hash?.length && hasOnly(filter, "msg_hash", "direction");
  if (account?.length || exclude_account?.length || !(isByHash || isByMessage)) return undefined;
  const located = isByHash
    ? await locateTransactions(queries, hash)
    : await locateMessages(queries, msg_hash!);
  if (located.length === 0) return [];
  const values = { ...locationsOf(located), ...page };
  const sides = (direction ? [direction] : directions).map((side) => codeOf(directions, side));
  const options = { rows: page.limit, fromBytes: taking(take), extras };
  return queries.query(
    isByHash ? byHashes[sort](values, options) : byMessages[sort]({ ...values, sides }, options),
  );
}

type Values = ReturnType<typeof locationsOf> & Page;

const byHashes = { asc: namedByHashes("asc"), desc: namedByHashes("desc") };
const byMessages = { asc: namedByMessages("asc"), desc: namedByMessages("desc") };

function namedByHashes(sort: Direction) {
  return pageText<Values>((given) => textsOf(wanted(given), given, sort));
}

function namedByMessages(sort: Direction) {
  return pageText<Values & { sides: readonly number[] }>((given) => {
    const ofMessages = SQL`(
      select distinct m.tx_hash as hash, m.tx_lt as lt, wanted.slot from ${messagesIn(given)}
      where m.direction = any(${given.sides}::smallint[])) wanted`;
    return textsOf(ofMessages, given, sort);
  });
}

/** `offset 0` fixes the join order, which the planner could not choose without statistics. */
function textsOf(
  names: Fragment,
  given: { readonly [Name in keyof Values]: unknown },
  sort: Direction,
): Fragment {
  return SQL`
    select ${pageColumns}
    from (
      select found.*, wanted.slot
      from ${names}
      cross join lateral (
        select * from transactions
        where ${isHash("hash", raw("wanted.hash"))} and lt = wanted.lt and ${isAmong("lt", given)} offset 0) found
      order by ${ordered(sort, "found.lt", "found.account")} limit ${given.limit} offset ${given.offset}) t
    ${withParts({ from: given.least, to: given.greatest }, "t.slot", given.first)}
    order by ${ordered(sort, "t.lt", "t.account")}`;
}

/** The transactions that have a matching one of located messages. */
export async function transactionsOfMessages(
  queries: Queries,
  located: readonly Located[],
  filter: TransactionFilter,
): Promise<Omit<NamedTransaction, "trace_id">[]> {
  const gathered = await besideRows(queries, () => [gatheredLocatedMessages(located)]);
  return gathered.query(
    plannedOnce(SQL`
      select distinct m.tx_hash, m.tx_lt, ${accountOfMessage} as account
      from ${messagesAt(located)} where ${all(...messageConditions(filter))}`),
  );
}
