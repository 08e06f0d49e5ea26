import SQL from "sql-template-tag";
import { traceStates } from "../codes.js";
import type { Queries } from "../database.js";
import { type StoredTraceRow, traces } from "../tables/traces.js";
import { code, greatest, keyList, least } from "../where.js";
import type { TraceOfAccount } from "./account-traces.js";
import { blockSpans } from "./blocks.js";
import { masterchainBlocks, masterchainRootHash } from "./masterchain-blocks.js";
import { selectRows } from "./rows.js";

/** A stored masterchain block. */
export type UnitName = { seqno: number; rootHash: Uint8Array };

/** The newest block that is stored without a gap. */
export async function newestUnit(queries: Queries): Promise<UnitName | undefined> {
  const [range] = await queries.query<{ last: number | null }>(SQL`select last from indexed_range`);
  const seqno = range?.last;
  if (seqno === undefined || seqno === null) return undefined;
  const rootHash = await masterchainRootHash(queries, seqno);
  return rootHash && { seqno, rootHash };
}

/** Those of some masterchain blocks that are stored. */
export async function unitsAmong(queries: Queries, seqnos: readonly number[]): Promise<UnitName[]> {
  const from = await masterchainBlocks(queries, seqnos);
  if (!from) return [];
  return queries.query<UnitName>(SQL`select b.seqno, b.root_hash as "rootHash" from ${from}`);
}

/** The traces whose last transaction a masterchain block registers, by their ends: traces_by_end. Not those that go on. */
export async function tracesEndedIn(queries: Queries, seqno: number): Promise<StoredTraceRow[]> {
  const blocks = await blockSpans(queries, { mc_seqno: seqno });
  if (blocks.length === 0) return [];
  const from = least(blocks.map(({ start_lt }) => start_lt));
  const to = greatest(blocks.map(({ end_lt }) => end_lt));
  return selectRows(
    queries,
    traces,
    "t",
    SQL`traces t
    where t.mc_seqno_end = ${seqno} and t.state <> ${code(traceStates, "pending")} and t.sort_lt between ${from} and ${to}
    order by t.sort_lt, t.trace_id`,
  );
}

/** The accounts that have transactions in traces: account_traces_by_trace. */
export async function accountsOfTraces(
  queries: Queries,
  ids: readonly Uint8Array[],
): Promise<TraceOfAccount[]> {
  if (ids.length === 0) return [];
  return queries.query<TraceOfAccount>(SQL`
    select a.trace_id, a.account
    from unnest(${keyList("bytea", ids)}) wanted(id)
    cross join lateral (
      select trace_id, account from account_traces where trace_id = wanted.id offset 0) a`);
}

/** The last transaction of each account in a masterchain block and its shard blocks: transactions_by_masterchain. */
export async function lastTransactionsIn(
  queries: Queries,
  seqno: number,
): Promise<{ account: Uint8Array; lt: bigint }[]> {
  const blocks = await blockSpans(queries, { mc_seqno: seqno });
  if (blocks.length === 0) return [];
  const from = least(blocks.map(({ start_lt }) => start_lt));
  const to = greatest(blocks.map(({ end_lt }) => end_lt));
  return queries.query(SQL`
    select account, max(lt) as lt from transactions
    where mc_block_seqno = ${seqno} and lt between ${from} and ${to}
    group by account order by max(lt), account`);
}
