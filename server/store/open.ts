import type { Database } from "./database.js";
import { openPglite } from "./pglite.js";
import { openPostgres } from "./postgres.js";

/** A PostgreSQL server by its URL, else the database inside, in `folder` or in memory. The only place that asks. */
export async function openDatabase({
  url,
  folder,
}: {
  url?: string | undefined;
  folder?: string | undefined;
}): Promise<Database> {
  return url === undefined ? openPglite(folder) : openPostgres(url);
}
