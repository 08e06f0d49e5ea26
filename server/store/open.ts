import type { Database } from "./database.js";
import { claimFolder, openPglite } from "./pglite.js";
import { openPostgres } from "./postgres.js";

export type DatabaseLocation = { url?: string | undefined; folder?: string | undefined };

/** A database that this process may use, open or not. What was opened is closed before it is released. */
export type DatabaseClaim = {
  /** The signal cuts the opening short. It may be tried again when it fails. */
  open(signal: AbortSignal): Promise<Database>;
  release(): Promise<void>;
};

/**
 * A PostgreSQL server by its URL, else the database inside, in `folder` or in memory. The only place that asks. Fails
 * while another process has the folder, which is known long before the database is open.
 */
export async function claimDatabase({ url, folder }: DatabaseLocation): Promise<DatabaseClaim> {
  const lock = url === undefined && folder !== undefined ? await claimFolder(folder) : undefined;
  return {
    open: async (signal) => (url === undefined ? openPglite(folder, signal) : openPostgres(url)),
    release: async () => lock?.release(),
  };
}
