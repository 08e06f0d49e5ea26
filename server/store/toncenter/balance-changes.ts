import SQL from "sql-template-tag";
import type { IndexReads } from "../reads/index-reads.js";
import { all, given } from "../sql/where.js";
import { hashValue, isOneOfHashes } from "./values.js";

export const balanceReads: Pick<IndexReads, "readBalanceChanges"> = {
  /** Each message counts where it was received; its forwarding fee was paid by the sender. Logs count where they were sent. */
  async readBalanceChanges(queries, { trace_id, hashes }) {
    const where = all(
      SQL`x.trace_id = ${hashValue(trace_id)}`,
      given(hashes, (named) => isOneOfHashes("x.hash", named)),
    );
    type Row = { account: string; jetton: string | null; amount: string | null; fees: string | null };
    const rows = await queries.query<Row>(SQL`
      with t as materialized (select x.hash, x.lt, x.account, x.total_fees, x.descr from transactions x where ${where}),
      m as materialized (
        select m.* from t join messages m on m.tx_hash = t.hash and m.tx_lt = t.lt
        where m.direction = 'in' or m.destination is null)
      select account, jetton, sum(amount)::text as amount, sum(fees)::text as fees
      from (
        select account::text, null::text as jetton, 0::numeric as amount, total_fees::numeric as fees from t
        where descr = 'ord'
        union all
        select source::text, null, -value, 0 from m where direction = 'in' and source is not null
        union all
        select destination::text, null, value, 0 from m where direction = 'in' and source is not null
        union all
        select source::text, null, 0, fwd_fee from m where source is not null
        union all
        select side.account, j.jetton_master_address::text, side.amount, 0
        from t join jetton_transfers j on j.tx_hash = t.hash and j.tx_lt = t.lt and not j.tx_aborted
        cross join lateral (
          values (j.source::text, -j.amount), (j.destination::text, j.amount)) side(account, amount)) changes
      where account is not null
      group by account, jetton
      order by account collate "C", jetton collate "C"`);
    return rows.map(({ amount, fees, ...key }) => ({
      ...key,
      amount: BigInt(amount ?? 0),
      fees: BigInt(fees ?? 0),
    }));
  },
};
