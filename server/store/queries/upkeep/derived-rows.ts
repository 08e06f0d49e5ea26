import SQL, { raw } from "sql-template-tag";
import type { Queries, Transaction } from "../../database.js";
import type { Fragment } from "../../sql/where.js";
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

/** Takes the token events of blocks out of the index. Returns their rows as texts. */
export function takeTokenEvents(transaction: Transaction, span: BlockSpan, lts: Lts): Promise<string[]> {
  return ofTables((table) =>
    texts(
      transaction,
      SQL`delete from ${raw(table)} e where ${isWithin(span, lts)} returning to_jsonb(e)::text as row`,
    ),
  );
}

/** The token events of blocks, as texts. */
export function tokenEventsAsTexts(queries: Queries, span: BlockSpan, lts: Lts): Promise<string[]> {
  return ofTables((table) =>
    texts(queries, SQL`select to_jsonb(e)::text as row from ${raw(table)} e where ${isWithin(span, lts)}`),
  );
}

function isWithin({ from, to }: BlockSpan, { first, last }: Lts) {
  return SQL`e.tx_lt between ${first} and ${last} and e.mc_seqno between ${from} and ${to}`;
}

async function ofTables(read: (table: string) => Promise<string[]>): Promise<string[]> {
  const found: string[] = [];
  for (const { table } of tokenEventParties)
    found.push(...(await read(table.name)).map((row) => `${table.name} ${row}`));
  return found;
}

async function texts(queries: Queries, statement: Fragment): Promise<string[]> {
  return (await queries.query<{ row: string }>(statement)).map(({ row }) => row);
}
