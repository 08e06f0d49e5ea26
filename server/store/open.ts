import { dirname } from "node:path";
import type { Fallback } from "../observe/fallback.js";
import { FileLock } from "../os/file-lock.js";
import { makeFolder } from "../os/folder.js";
import type { Commits, Database, ReadServer } from "./database.js";

type DatabaseLocation = { url?: string | undefined; folder?: string | undefined };
type Options = DatabaseLocation & { fallback?: Fallback; takeoverMs?: number };

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
export async function claimDatabase({ url, folder, ...options }: Options): Promise<DatabaseClaim> {
  const lock = url === undefined && folder !== undefined ? await claimFolder(folder) : undefined;
  return {
    open: (signal, image) => open({ url, folder, ...options }, signal, image),
    release: async () => lock?.release(),
  };
}

/** Drivers are loaded here, because a service answers other calls before there is a database. */
async function open(
  { url, folder, takeoverMs, ...options }: Options,
  signal: AbortSignal,
  image: string | undefined,
): Promise<Database> {
  if (url !== undefined)
    return (await import("./wire/postgres.js")).openPostgres(url, { ...options, takeoverMs });
  return (await import("./pglite/pglite.js")).openPglite(folder, signal, { ...options, image });
}

/** Opens servers that only answers are read from. */
export async function openReadServers(
  urls: readonly string[],
  options: { isPooled: boolean; fallback?: Fallback; commits?: Commits | undefined },
): Promise<ReadServer[]> {
  const { openReadServer } = await import("./wire/postgres.js");
  return urls.map((url) => openReadServer(url, options));
}

/** Locks a folder: PGlite itself does not, and two processes would corrupt it. */
async function claimFolder(folder: string): Promise<FileLock> {
  makeFolder(dirname(folder));
  return FileLock.take(`${folder}.lock`);
}
