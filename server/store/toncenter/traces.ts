import SQL from "sql-template-tag";
import type { TraceFilter } from "../queries/traces/traces.js";
import type { IndexReads } from "../reads/index-reads.js";
import { all, anyOf, type Fragment, given, ordered, paged, within } from "../sql/where.js";
import { traceRecord } from "../tables/traces.js";
import { readRows } from "./rows.js";
import { foreign } from "./tables.js";
import { addressValue, hashBytes, hashValues, isOneOfHashes, withinTimes } from "./values.js";

type TraceReads = Pick<IndexReads, "listTraces">;

export const traceReads: TraceReads = {
  async listTraces(queries, filter, { sort, ...page }) {
    const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
    const byTime = !byLt && (filter.start_utime !== undefined || filter.end_utime !== undefined);
    const order = ordered(sort, byTime ? "x.end_utime" : "x.end_lt", hashBytes("x.trace_id"));
    const rows = await readRows(
      queries,
      foreign.traces,
      SQL`where ${all(...conditionsOf(filter))} order by ${order} ${paged(page)}`,
    );
    return rows.map((t) => ({
      id: t.trace_id,
      from: t.start_lt,
      to: t.end_lt,
      ...traceRecord.present({ t }),
    }));
  },
};

/** The first of the filters by hashes counts, as in our layout. */
function conditionsOf(filter: TraceFilter): (Fragment | undefined)[] {
  const { account, trace_id, tx_hash, msg_hash, mc_seqno } = filter;
  const isByAccount = account !== undefined && mc_seqno === undefined;
  return [
    given(
      account,
      (address) => SQL`exists (
        select from transactions t where t.trace_id = x.trace_id and t.account = ${addressValue(address)})`,
    ),
    isByAccount ? undefined : byHashes({ trace_id, tx_hash, msg_hash }),
    given(mc_seqno, (seqno) => SQL`x.mc_seqno_end = ${seqno} and x.state = 'complete'`),
    withinTimes("x.end_utime", filter.start_utime, filter.end_utime),
    within("x.end_lt", filter.start_lt, filter.end_lt),
  ];
}

/** A trace is named by any of its transactions. */
function byHashes({ trace_id, tx_hash, msg_hash }: TraceFilter): Fragment | undefined {
  const transactions = trace_id?.length ? trace_id : tx_hash;
  return (
    anyOf(
      transactions,
      (hashes) =>
        SQL`x.trace_id in (select trace_id from transactions t where ${isOneOfHashes("t.hash", hashes)})`,
    ) ??
    anyOf(
      msg_hash,
      (hashes) => SQL`x.trace_id in (
        select trace_id from messages m where m.msg_hash = any(${hashValues(hashes)})
        union all
        select trace_id from messages m where m.msg_hash_norm = any(${hashValues(hashes)}))`,
    )
  );
}
