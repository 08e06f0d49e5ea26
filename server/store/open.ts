import type { Database } from "./database.js";
import { claimFolder } from "./pglite/claim-folder.js";

export type DatabaseLocation = { url?: string | undefined; folder?: string | undefined };

/** The right to open a database. Close the opened database before you release the claim. */
export type DatabaseClaim = {
  /** The signal aborts opening. May be called again after a failure. A database in memory can begin with an image. */
  open(signal: AbortSignal, image?: string): Promise<Database>;
  release(): Promise<void>;
};

/**
 * Claims a PostgreSQL server by its URL, or else a PGlite in `folder` or in memory. No other code chooses between the
 * two. Rejects at once if another process holds the folder.
 */
export async function claimDatabase({ url, folder }: DatabaseLocation): Promise<DatabaseClaim> {
  const lock = url === undefined && folder !== undefined ? await claimFolder(folder) : undefined;
  return {
    open: (signal, image) => open({ url, folder }, signal, image),
    release: async () => lock?.release(),
  };
}

/** Drivers are loaded here, because a service answers other calls before there is a database. */
async function open(
  { url, folder }: DatabaseLocation,
  signal: AbortSignal,
  image: string | undefined,
): Promise<Database> {
  if (url !== undefined) return (await import("./wire/postgres.js")).openPostgres(url);
  return (await import("./pglite/pglite.js")).openPglite(folder, signal, { image });
}
