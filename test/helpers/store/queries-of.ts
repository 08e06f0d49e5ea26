import type { Database, Sql } from "../../../server/store/database.js";

const known = new WeakMap<Pick<Database, "sql">, Sql>();

/** Queries of a test: they all use one connection. */
export function queriesOf(database: Pick<Database, "sql">): Sql {
  const queries = known.get(database) ?? database.sql({ connections: 1 });
  known.set(database, queries);
  return queries;
}
