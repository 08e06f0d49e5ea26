import SQL, { raw } from "sql-template-tag";
import { accountStatuses } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isAccount } from "../../sql/keys.js";
import { code, keyList } from "../../sql/where.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredAccountSlots } from "../cluster/gathered-directories.js";
import { gatheredActivations, gatheredFirst } from "../cluster/gathered-histories.js";

const active = code(accountStatuses, "active");

/** When an account came into use, as far as its transactions are stored. */
export type AccountHistory = {
  /** Its first transaction. */
  lt: bigint;
  mc_block_seqno: number;
  orig_status: number;
  end_status: number;
  /** The masterchain block of the first transaction that made it active. */
  activated_at: number | null;
};

/**
 * The histories of those of the accounts that have transactions: account_slots, then transactions_by_account and
 * transactions_by_activation of few slots.
 */
export async function readAccountHistories(
  queries: Queries,
  accounts: readonly Uint8Array[],
): Promise<(AccountHistory & { account: Uint8Array })[]> {
  const slots = await besideRows(queries, () => [gatheredAccountSlots(accounts)]);
  const gathered = await besideRows(slots, async () => [
    ...(await gatheredFirst(slots, accounts)),
    gatheredActivations(accounts),
  ]);
  return gathered.query(SQL`
    select wanted.account, first.*, activation.mc_block_seqno as activated_at
    from unnest(${keyList("bytea", accounts)}) wanted(account)
    cross join lateral (
      select t.* from account_slots a join slots s using (from_lt) cross join lateral (
        select lt, mc_block_seqno, orig_status, end_status from transactions
        where account = wanted.account and lt >= s.from_lt and lt < s.to_lt order by lt limit 1) t
      where a.account = wanted.account and a.n > 0 order by a.from_lt limit 1) first
    left join lateral (
      select t.* from account_slots a join slots s using (from_lt) cross join lateral (
        select mc_block_seqno from transactions
        where ${isAccount("account", raw("wanted.account"))} and lt >= s.from_lt and lt < s.to_lt
          and end_status = ${active} and orig_status <> ${active} order by lt limit 1) t
      where a.account = wanted.account and a.n > 0 order by a.from_lt limit 1) activation on true`);
}
