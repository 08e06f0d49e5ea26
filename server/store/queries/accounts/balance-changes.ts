import SQL, { raw } from "sql-template-tag";
import { directions } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { code, type Fragment, keyList, plannedOnce, within } from "../../sql/where.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredJettonTransfers, gatheredSides } from "../cluster/gathered-rows.js";

/** A change of an account's balance: of TON by messages, of TON by fees, or of a jetton. */
export type BalanceChange = {
  account: string;
  /** Raw address of the jetton; null for TON. */
  jetton: string | null;
  amount: bigint;
  fees: bigint;
};

/** Transactions whose effect is asked for: all of a trace, or some of them by their hashes. */
type ChangedBy = { trace_id: Uint8Array; from: bigint; to: bigint; hashes?: readonly Uint8Array[] };

const inbound = code(directions, "in");

/**
 * The sums per account: transactions_by_trace, then messages_by_transaction. Each message counts where it was received; its forwarding
 * fee was paid by the sender. Logs count where they were sent.
 */
export async function readBalanceChanges(queries: Queries, changed: ChangedBy): Promise<BalanceChange[]> {
  // Executors leave the other partitions out.
  const isWithin = within("tx_lt", changed.from, changed.to);
  const gathered = await besideRows(queries, () => {
    const { trace_id, from, to } = changed;
    const condition = SQL`${isHash("t.trace_id", SQL`${trace_id}`)} and t.lt between ${from} and ${to}`;
    return [...gatheredSides({ condition }), gatheredJettonTransfers(condition)];
  });
  const rows = await gathered.query<{
    account: string;
    jetton: string | null;
    amount: string;
    fees: string;
  }>(
    plannedOnce(SQL`
    with t as materialized (${transactionsOf(changed)}),
    m as materialized (
      select found.* from t cross join lateral (
        select direction, source, destination, value, fwd_fee from messages
        where ${isHash("tx_hash", raw("t.hash"))} and tx_lt = t.lt and ${isWithin} and (direction = ${inbound} or destination is null) offset 0) found)
    select wire_address(account) as account, wire_address(jetton) as jetton, sum(amount)::text as amount,
      sum(fees)::text as fees
    from (
      select account, null::bytea as jetton, 0::numeric as amount, total_fees::numeric as fees from t where not is_system
      union all
      select source, null, -value, 0 from m where direction = ${inbound} and source is not null
      union all
      select destination, null, value, 0 from m where direction = ${inbound} and source is not null
      union all
      select source, null, 0, fwd_fee from m where source is not null
      union all
      select side.account, j.jetton_master_address, side.amount, 0
      from t
      cross join lateral (
        select * from jetton_transfers
        where ${isHash("tx_hash", raw("t.hash"))} and tx_lt = t.lt and ${isWithin} and not tx_aborted offset 0) j
      cross join lateral (values (j.source, -j.amount), (j.destination, j.amount)) side(account, amount)) changes
    where account is not null
    group by changes.account, changes.jetton
    order by 1, 2`),
  );
  return rows.map(({ amount, fees, ...key }) => ({
    ...key,
    amount: BigInt(amount ?? 0),
    fees: BigInt(fees ?? 0),
  }));
}

/** Transactions that no message started pay no fees to anybody. */
function transactionsOf({ trace_id, from, to, hashes }: ChangedBy): Fragment {
  const some = hashes ? SQL`and hash in (select unnest(${keyList("bytea", hashes)}))` : SQL``;
  return SQL`
    select hash, lt, account, total_fees, descr <> 0 as is_system from transactions
    where ${isHash("trace_id", SQL`${trace_id}`)} and lt between ${from} and ${to} ${some}`;
}
