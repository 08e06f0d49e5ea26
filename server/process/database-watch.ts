import type { DatabaseNumbers } from "../observe/database-metrics.js";
import type { Database } from "../store/database.js";
import { readTableSizes } from "../store/queries/table-sizes.js";

/** The sizes of a large index take tenths of a second to read. */
const sizesMs = 5 * 60_000;

/** `withTables`: in processes that write the index, because tables are the same for all. */
type WatchOptions = { now: () => number; withTables: boolean };

/** The numbers of a database for metrics. Sizes of tables are read again when they are asked for and five minutes old. */
export function databaseNumbers(
  database: Database,
  { now, withTables }: WatchOptions,
): () => DatabaseNumbers {
  const sql = database.sql({ connections: 1 });
  let tables: DatabaseNumbers["tables"] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async () => {
    readAt = now();
    // What was read before is shown until the database answers again.
    tables = await readTableSizes(sql).catch(() => tables);
  };
  return () => {
    if (withTables && now() - readAt >= sizesMs) void read();
    return { connections: database.connections(), tables };
  };
}
