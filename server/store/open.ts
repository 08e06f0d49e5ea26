import type { Database } from "./database.js";
import { openPglite } from "./pglite.js";
import { openPostgres } from "./postgres.js";

export type DatabasePlace = {
  url?: string | undefined;
  folder?: string | undefined;
  /** Cuts the opening short. */
  signal?: AbortSignal | undefined;
};

/** A PostgreSQL server by its URL, else the database inside, in `folder` or in memory. The only place that asks. */
export async function openDatabase({ url, folder, signal }: DatabasePlace): Promise<Database> {
  return url === undefined ? openPglite(folder, signal) : openPostgres(url);
}
