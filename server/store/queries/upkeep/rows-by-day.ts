import SQL, { raw } from "sql-template-tag";
import type { Queries } from "../../database.js";
import type { StoredRowOf, Table } from "../../declare/table.js";
import { tables } from "../../tables/all-tables.js";
import { traces } from "../../tables/traces.js";
import { readMasterchainBlocks } from "../blocks/masterchain-blocks.js";
import { selectRows } from "../rows.js";
import { type BlockSpan, readLts } from "./block-rows.js";

/** A table whose rows belong to masterchain blocks. */
export type DatedTable = { readonly table: Table; readonly seqno: string; readonly lt: string };

/** The tables of the chain's rows, by their names. Traces that are not complete yet are left out. */
export const datedTables: ReadonlyMap<string, DatedTable> = new Map(
  Object.values<Table>(tables).flatMap((table) => {
    const { name, partitionBy: lt, revertBy } = table;
    if (lt === undefined || !revertBy || !("block" in revertBy)) return [];
    const seqno = table.name === traces.name ? "mc_seqno_end" : revertBy.block;
    return [[name, { table, seqno, lt }]];
  }),
);

export type BlockMoment = { readonly seqno: number; readonly utime: number };

/** The times of stored masterchain blocks, ascending. */
export async function readBlockTimes(queries: Queries, { from, to }: BlockSpan): Promise<BlockMoment[]> {
  const seqnos = Array.from({ length: to - from + 1 }, (_, at) => from + at);
  return readMasterchainBlocks<BlockMoment>(queries, SQL`b.seqno, b.gen_utime::float8 as utime`, seqnos);
}

/** The rows of masterchain blocks, in the order of lt and then of their key. */
export async function readDatedRows(
  queries: Queries,
  { table, seqno, lt }: DatedTable,
  { from, to }: BlockSpan,
): Promise<StoredRowOf<Table>[]> {
  const { first, last } = await readLts(queries, { from, to });
  const order = [lt, ...table.key].map((column) => `r.${column}`).join(", ");
  return selectRows(
    queries,
    table,
    "r",
    SQL`${raw(table.name)} r
      where r.${raw(lt)} between ${first} and ${last} and r.${raw(seqno)} between ${from} and ${to}
      order by ${raw(order)}`,
  );
}
