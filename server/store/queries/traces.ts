import SQL from "sql-template-tag";
import type { Address } from "../../../shared/values/address.js";
import { addressToBytes } from "../address-bytes.js";
import { classificationStates, codeOf, traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import {
  all,
  anyOf,
  type Direction,
  type Fragment,
  given,
  isOneOf,
  ordered,
  type Page,
  paged,
  within,
  wordOf,
} from "../where.js";

/** A trace without its transactions; hashes in base64, logical times decimal. */
export type TraceRow = {
  id: Uint8Array;
  trace_id: string;
  external_hash: string | null;
  mc_seqno_start: string;
  mc_seqno_end: string;
  start_lt: string;
  start_utime: number | bigint;
  end_lt: string | null;
  end_utime: number | bigint | null;
  trace_state: (typeof traceStates)[number];
  messages: number;
  transactions: number;
  pending_messages: number;
  classification_state: (typeof classificationStates)[number];
};

/** Named like the parameters. */
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

// What is not complete has no end yet and counts as newest. The indexes are over these very expressions.
const endLt = "(case when state = 0 then null else end_lt end)";
const endUtime = "(case when state = 0 then null else end_utime end)";

/** One page of traces, by traces_by_lt, traces_by_time, traces_by_end or what leads to single traces. */
export async function listTraces(
  queries: Queries,
  filter: TraceFilter,
  page: Page & { sort: Direction },
): Promise<TraceRow[]> {
  const byLt = filter.start_lt !== undefined || filter.end_lt !== undefined;
  const byTime = !byLt && (filter.start_utime !== undefined || filter.end_utime !== undefined);
  return queries.query<TraceRow>(SQL`
    select trace_id as id, wire_hash(trace_id) as trace_id, wire_hash(external_hash) as external_hash,
      mc_seqno_start::text, mc_seqno_end::text, start_lt::text, start_utime,
      (case when state <> 0 then end_lt end)::text as end_lt, case when state <> 0 then end_utime end as end_utime,
      ${wordOf("state", traceStates)} as trace_state,
      edges_ as messages, nodes_ as transactions, pending_edges_ as pending_messages,
      ${wordOf("classification_state", classificationStates)} as classification_state
    from traces where ${conditionsOf(filter)}
    order by ${ordered(page.sort, byTime ? endUtime : endLt, "traces.trace_id")} ${paged(page)}`);
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
      (seqno) => SQL`mc_seqno_end = ${seqno} and state = ${codeOf(traceStates, "complete")}`,
    ),
    within(endUtime, filter.start_utime, filter.end_utime),
    within(endLt, filter.start_lt, filter.end_lt),
  );
}
