import SQL from "sql-template-tag";
import type { IndexVersion, Queries } from "../../database.js";
import { oneRow } from "../../sql/one-row.js";

/** Every commit that changes what readers see notifies this channel of the version. */
export const indexChannel = "tonwire_index";

/** Call it last in a transaction that changes what readers see: other writers wait from here to its end. */
export async function raiseIndexVersion(queries: Queries): Promise<void> {
  await queries.query(SQL`select raise_index_version()`);
}

/** The version with the id of the index. */
export function readIndexVersion(queries: Queries): Promise<IndexVersion & { id: string }> {
  return oneRow(queries, SQL`select n::float8 as n, seqno, id::text from index_version`);
}

/** Differs between all databases of all servers, and is the same over every way to one of them. */
export async function readDatabaseId(queries: Queries): Promise<string> {
  const { id } = await oneRow<{ id: string }>(
    queries,
    SQL`
      select system_identifier || '-' || pg_database.oid as id
      from pg_control_system(), pg_database where datname = current_database()`,
  );
  return id;
}
