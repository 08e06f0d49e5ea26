import SQL from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { type TraceRecord, traceRecord, traces } from "../tables/traces.js";
import {
  all,
  anyOf,
  code,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  ordered,
  type Page,
  paged,
  within,
} from "../where.js";
import { selectRows } from "./rows.js";

/** A trace without its transactions, and its id as bytes. */
export type TraceRow = TraceRecord & { id: Uint8Array };

/** Members are named like the parameters. */
export type TraceFilter = {
  account?: Address | undefined;
  trace_id?: readonly Uint8Array[] | undefined;
  tx_hash?: readonly Uint8Array[] | undefined;
  msg_hash?: readonly Uint8Array[] | undefined;
  mc_seqno?: number | undefined;
  start_utime?: number | undefined;
  end_utime?: number | undefined;
  start_lt?: bigint | undefined;
  end_lt?: bigint | undefined;
};

// A trace that is not complete has no end yet and counts as newest. The indexes are over these very expressions.
const pending = code(traceStates, "pending").sql;
const endLt = `(case when state = ${pending} then null else end_lt end)`;
const endUtime = `(case when state = ${pending} then null else end_utime end)`;

/** One page of traces, by traces_by_lt, traces_by_time, traces_by_end or the lookups of single traces. */
export async function listTraces(
  queries: Queries,
  filter: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceRow[]> {
  const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
  const byTime = !byLt && (filter.start_utime !== undefined || filter.end_utime !== undefined);
  const rows = await selectRows(
    queries,
    traces,
    "traces",
    SQL`traces where ${conditionsOf(filter)}
    order by ${ordered(page.sort, byTime ? endUtime : endLt, "traces.trace_id")} ${paged(page)}`,
  );
  return rows.map((t) => ({ id: t.trace_id, ...traceRecord.present({ t }) }));
}

function conditionsOf(filter: TraceFilter): Fragment {
  return all(
    // transactions_by_account_trace
    given(
      filter.account,
      (account) =>
        SQL`trace_id in (select trace_id from transactions where account = ${addressToBytes(account)})`,
    ),
    anyOf(filter.trace_id, (ids) => isOneOf("trace_id", ids)),
    anyOf(
      filter.tx_hash,
      (hashes) => SQL`trace_id in (select trace_id from transactions where ${isOneOf("hash", hashes)})`,
    ),
    // messages_by_hash, messages_by_norm_hash
    anyOf(
      filter.msg_hash,
      (hashes) => SQL`trace_id in (select trace_id from messages where ${isOneOf("msg_hash", hashes)}
        union all select trace_id from messages where ${isOneOf("msg_hash_norm", hashes)})`,
    ),
    given(
      filter.mc_seqno,
      (seqno) => SQL`mc_seqno_end = ${seqno} and state = ${code(traceStates, "complete")}`,
    ),
    within(endUtime, filter.start_utime, filter.end_utime),
    within(endLt, filter.start_lt, filter.end_lt),
  );
}
