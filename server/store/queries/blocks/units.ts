import SQL, { raw, type Sql } from "sql-template-tag";
import { traceStates } from "../../codes.js";
import type { Queries } from "../../database.js";
import { isHash } from "../../sql/keys.js";
import { code, greatest, keyList, least } from "../../sql/where.js";
import type { BlockRecord } from "../../tables/blocks.js";
import { type StoredTraceRow, traces } from "../../tables/traces.js";
import { besideRows } from "../cluster/beside-rows.js";
import { gatheredEntries } from "../cluster/gathered-directories.js";
import { selectRows } from "../rows.js";
import { blockSpans, blocksAt } from "./blocks.js";
import { readMasterchainBlocks } from "./masterchain-blocks.js";

/** A stored masterchain block. */
export type UnitName = { seqno: number; rootHash: Uint8Array; genUtime: bigint; endLt: bigint };

/** The masterchain blocks that are stored without a gap, by their seqnos. */
export async function unitRange(queries: Queries): Promise<{ first: number; last: number } | undefined> {
  const [range] = await queries.query<{ first: number | null; last: number | null }>(
    SQL`select first, last from indexed_range`,
  );
  const { first = null, last = null } = range ?? {};
  return first === null || last === null ? undefined : { first, last };
}

/** The first of the stored masterchain blocks that has come to a place, which all later ones have, too. */
export async function firstUnit(
  queries: Queries,
  hasCome: (unit: UnitName) => boolean,
): Promise<UnitName | undefined> {
  const range = await unitRange(queries);
  let found: UnitName | undefined;
  let { first, last } = range ?? { first: 1, last: 0 };
  while (first <= last) {
    const middle = Math.floor((first + last) / 2);
    const [unit] = await unitsAmong(queries, [middle]);
    if (unit && hasCome(unit)) {
      found = unit;
      last = middle - 1;
    } else first = middle + 1;
  }
  return found;
}

/** Stored units of some masterchain blocks. */
export function unitsAmong(queries: Queries, seqnos: readonly number[]): Promise<UnitName[]> {
  return readMasterchainBlocks(queries, unitColumns, seqnos);
}

const unitColumns = SQL`b.seqno, b.root_hash as "rootHash", b.gen_utime as "genUtime", b.end_lt as "endLt"`;

/** The traces whose last transaction a masterchain block registers, by their ends: primary key. Not those that go on. */
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
): Promise<{ trace_id: Uint8Array; account: Uint8Array }[]> {
  if (ids.length === 0) return [];
  const gathered = await besideRows(queries, () => [gatheredEntries(ids)]);
  return gathered.query(SQL`
    select a.trace_id, a.account
    from unnest(${keyList("bytea", ids)}) wanted(id)
    cross join lateral (
      select trace_id, account from account_traces where ${isHash("trace_id", raw("wanted.id"))} offset 0) a`);
}

/** The last transaction of each account in a masterchain block and its shard blocks: transactions_by_masterchain. */
export async function lastTransactionsIn(
  queries: Queries,
  seqno: number,
): Promise<{ account: Uint8Array; lt: bigint }[]> {
  const within = await inUnit(queries, seqno);
  if (!within) return [];
  return queries.query(SQL`
    select account, max(lt) as lt from transactions where ${within}
    group by account order by max(lt), account`);
}

/** The transactions of a masterchain block and its shard blocks, ascending: transactions_by_masterchain. */
export async function transactionsIn(
  queries: Queries,
  seqno: number,
): Promise<{ account: Uint8Array; lt: bigint }[]> {
  const within = await inUnit(queries, seqno);
  if (!within) return [];
  return queries.query(SQL`select account, lt from transactions where ${within} order by lt, account`);
}

/** The condition that transactions are in a masterchain block or its shard blocks; `undefined` if it is not stored. */
async function inUnit(queries: Queries, seqno: number): Promise<Sql | undefined> {
  const blocks = await blockSpans(queries, { mc_seqno: seqno });
  if (blocks.length === 0) return undefined;
  const from = least(blocks.map(({ start_lt }) => start_lt));
  const to = greatest(blocks.map(({ end_lt }) => end_lt));
  return SQL`mc_block_seqno = ${seqno} and lt between ${from} and ${to}`;
}

/** A masterchain block, and those of shards that it registers. */
export async function blocksOfUnit(queries: Queries, seqno: number): Promise<BlockRecord[]> {
  const spans = await blockSpans(queries, { mc_seqno: seqno });
  return spans.length === 0 ? [] : blocksAt(queries, spans);
}
