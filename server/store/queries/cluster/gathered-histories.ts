import SQL from "sql-template-tag";
import { accountStatuses, codeOf } from "../../codes.js";
import type { Queries } from "../../database.js";
import { code, type Fragment, keyLists } from "../../sql/where.js";
import { accountKey } from "../../tables/directories.js";
import type { GatheredRows } from "./beside-rows.js";
import { gatheredTransactionsOf, gatheredTransactionsOfOne } from "./gathered-rows.js";

/** An account with more transactions in its first slot is searched by a statement for it alone. */
const fewRows = 1000;

type FirstSlot = { account: Uint8Array; from_lt: bigint; to_lt: bigint; n: number };

/** The first transaction of each account, whose slots were gathered: transactions_by_account in one slot. */
export async function gatheredFirst(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<GatheredRows[]> {
  const slots = await queries.query<FirstSlot>(SQL`
    select wanted.account, first.* from unnest(${accounts}::bytea[]) wanted(account) cross join lateral (
      select a.from_lt, s.to_lt, a.n from account_slots a join slots s using (from_lt)
      where a.account = wanted.account and a.n > 0 order by a.from_lt limit 1) first`);
  const few = slots.filter(({ n }) => n <= fewRows);
  const many = slots.filter(({ n }) => n > fewRows);
  const lists = keyLists(few, { account: "bytea", from_lt: "bigint", to_lt: "bigint" });
  const alone = many.map(({ account, from_lt, to_lt }) =>
    gatheredTransactionsOfOne(SQL`
      select * from transactions where account = ${account} and lt >= ${from_lt} and lt < ${to_lt} order by lt limit 1`),
  );
  if (few.length === 0) return alone;
  return [
    ...alone,
    firstOfEach(
      few.map(({ account }) => account),
      SQL`${lists} w(account, from_lt, to_lt) join transactions t
        on t.account = w.account and t.lt >= w.from_lt and t.lt < w.to_lt`,
      SQL`true`,
    ),
  ];
}

/** The first transaction that activated each account: transactions_by_activation. */
export function gatheredActivations(accounts: readonly Uint8Array[]): GatheredRows {
  const active = code(accountStatuses, "active");
  return firstOfEach(
    accounts,
    SQL`transactions t`,
    SQL`account_key(t.account) = any(${accounts.map(accountKey)}::bigint[])
      and t.end_status = ${active} and t.orig_status <> ${active}`,
  );
}

/** A transaction of each account behind its `last_transaction_lt` that left nothing of it. */
export function gatheredEnds(
  contracts: readonly { address: Uint8Array; last_transaction_lt: bigint }[],
): GatheredRows {
  return firstOfEach(
    contracts.map(({ address }) => address),
    SQL`${keyLists(contracts, { address: "bytea", last_transaction_lt: "bigint" })} w(account, last_lt)
      join transactions t on t.account = w.account and t.lt > w.last_lt`,
    SQL`t.end_status = ${codeOf(accountStatuses, "nonexist")}`,
  );
}

function firstOfEach(accounts: readonly Uint8Array[], from: Fragment, condition: Fragment): GatheredRows {
  return gatheredTransactionsOf(SQL`
    select distinct on (t.account) t.* from ${from}
    where t.account = any(${accounts}::bytea[]) and ${condition} order by t.account, t.lt`);
}
