import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";
import { oneRow } from "../../one-row.js";

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
