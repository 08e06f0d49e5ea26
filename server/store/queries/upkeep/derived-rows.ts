import SQL, { raw } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import { type ActionRow, actions } from "../../tables/actions.js";
import { tokenEventParties } from "../../tables/token-events.js";
import type { TraceRow } from "../../tables/traces.js";
import { selectRows } from "../rows.js";
import type { BlockSpan, Lts } from "./block-rows.js";

/** The stored actions of traces. */
export function actionsOfTraces(queries: Queries, traces: readonly TraceRow[]): Promise<ActionRow[]> {
  const ends = traces.map(({ end_lt }) => end_lt);
  const ids = traces.map(({ trace_id }) => trace_id);
  return selectRows(
    queries,
    actions,
    "a",
    SQL`unnest(${ends}::bigint[], ${ids}::bytea[]) t(end_lt, id)
      join actions a on a.trace_end_lt = t.end_lt and a.trace_id = t.id`,
  );
}

/** Takes the token events of blocks out of the index. Returns their rows as texts, which nodes of a cluster do not return. */
export async function takeTokenEvents(
  transaction: Transaction,
  span: BlockSpan,
  lts: Lts,
): Promise<string[]> {
  const rows = await tokenEventsAsTexts(transaction, span, lts);
  for (const { table } of tokenEventParties)
    await transaction.query(SQL`delete from ${raw(table.name)} e where ${isWithin(span, lts)}`);
  return rows;
}

/** The token events of blocks, as texts. */
export async function tokenEventsAsTexts(queries: Queries, span: BlockSpan, lts: Lts): Promise<string[]> {
  const found: string[] = [];
  for (const { table } of tokenEventParties) {
    const rows = await queries.query<{ row: string }>(SQL`
      select to_jsonb(e)::text as row from ${raw(table.name)} e where ${isWithin(span, lts)}`);
    found.push(...rows.map(({ row }) => `${table.name} ${row}`));
  }
  return found;
}

function isWithin({ from, to }: BlockSpan, { first, last }: Lts) {
  return SQL`e.tx_lt between ${first} and ${last} and e.mc_seqno between ${from} and ${to}`;
}
