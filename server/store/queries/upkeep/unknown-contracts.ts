import SQL from "sql-template-tag";
import { classificationStates, traceStates } from "../../codes.js";
import type { Queries, Transaction } from "../../database.js";
import { code, type Fragment, keyLists } from "../../sql/where.js";
import { type UnknownContractRow, unknownContracts } from "../../tables/unknown-contracts.js";
import { selectRows } from "../rows.js";
import { placesById, type TracePlace } from "../traces/account-traces.js";
import { lockOfTraces } from "../traces/trace-rows.js";
import { noEnd } from "./index-ranges.js";

/** Blocks that are stored without a gap, where a part was filled after traces behind it were classified. */
type GrownChain = { from: number; to: number };

/** The first such chain: index_ranges_by_done, unknown_contracts_by_chain. */
export async function readGrownChain(queries: Queries): Promise<GrownChain | undefined> {
  const [grown] = await queries.query<GrownChain>(SQL`
    select c.from_seqno as "from", c.next - 1 as "to"
    from (
      select from_seqno, coalesce(lead(from_seqno) over (order by from_seqno), ${noEnd}::integer) as next
      from index_ranges where not joined and done_to >= from_seqno) c
    where exists (
      select from unknown_contracts where chain_from > c.from_seqno and chain_from < c.next)
    order by c.from_seqno limit 1`);
  return grown;
}

/** Unknown contracts of traces in a chain that has grown, later ones first. */
export function readUnknownContracts(
  queries: Queries,
  { from, to }: GrownChain,
  limit: number,
): Promise<UnknownContractRow[]> {
  return selectRows(
    queries,
    unknownContracts,
    "u",
    SQL`unknown_contracts u where u.chain_from > ${from} and u.chain_from <= ${to}
      order by u.chain_from desc limit ${limit}`,
  );
}

/** Locks traces in key order, so that neither they nor their unknown contracts change. */
export async function lockTraces(transaction: Transaction, ids: readonly Uint8Array[]): Promise<void> {
  const places = await placesById(transaction, ids);
  const lock = await lockOfTraces(transaction);
  await transaction.query(SQL`
    select from traces t join ${placeList(places)} on t.trace_id = place.trace_id and t.sort_lt = place.sort_lt
    order by t.sort_lt, t.trace_id ${lock}`);
}

/** Marks complete traces to be classified again. Their actions stay until then. */
export async function unclassifyTraces(transaction: Transaction, ids: readonly Uint8Array[]): Promise<void> {
  const places = await placesById(transaction, ids);
  await transaction.query(SQL`
    update traces t set classification_state = ${code(classificationStates, "unclassified")}
    from ${placeList(places)}
    where t.trace_id = place.trace_id and t.sort_lt = place.sort_lt and t.state = ${code(traceStates, "complete")}`);
}

function placeList(places: readonly TracePlace[]): Fragment {
  return SQL`${keyLists(places, { trace_id: "bytea", sort_lt: "bigint" })} place(trace_id, sort_lt)`;
}

/** Sets from where on the blocks before unknown contracts have been searched. At block 1 nothing is left to be known. */
export async function moveUnknownContracts(
  transaction: Transaction,
  rows: readonly UnknownContractRow[],
  chainFrom: number,
): Promise<void> {
  const ofRows = SQL`(u.trace_id, u.account) in (
    select * from unnest(
      ${rows.map(({ trace_id }) => trace_id)}::bytea[], ${rows.map(({ account }) => account)}::bytea[]))`;
  await transaction.query(
    chainFrom === 1
      ? SQL`delete from unknown_contracts u where ${ofRows}`
      : SQL`update unknown_contracts u set chain_from = ${chainFrom} where ${ofRows}`,
  );
}

/** Forgets what the classification of traces did not know: primary key. */
export async function deleteUnknownContracts(queries: Queries, ids: readonly Uint8Array[]): Promise<void> {
  await queries.query(SQL`delete from unknown_contracts where trace_id = any(${ids}::bytea[])`);
}
