import { setMaxListeners } from "node:events";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Fallback } from "../../observe/fallback.js";
import type { Database, KeptImage, Lock } from "../database.js";
import { NoRoomError } from "../database-errors.js";
import { openEmbedded } from "../wire/postgres.js";
import { PgliteThread } from "./pglite-thread.js";

/** Room for the write-ahead log and a batch of blocks. */
const reserveBytes = 64 * 1024 * 1024;

export type PgliteOptions = {
  /** Path of the image that a database in memory begins with. */
  image?: string | undefined;
  freeBytesAt?: (folder: string) => Promise<number>;
  fallback?: Fallback;
};

/**
 * PostgreSQL in a thread of this process: in memory, or in a folder that must be claimed. It speaks the protocol of a
 * server, so only the byte stream differs.
 */
export async function openPglite(
  folder?: string,
  signal?: AbortSignal,
  { image, freeBytesAt = freeBytesOnDisk, fallback }: PgliteOptions = {},
): Promise<Database> {
  const thread = await PgliteThread.start({ folder, image }, { signal, fallback });
  const embedded = openEmbedded({
    connect: () => thread.connect(),
    confirmWritable: async () => {
      if (folder !== undefined) confirmRoom(folder, await freeBytesAt(folder));
    },
  });
  return {
    sql: (options) => embedded.sql(options),
    lock: async () => unshared(),
    listen: async (channel, onMessage) => {
      const end = await embedded.listen(channel, onMessage);
      return { lost: unshared().lost, release: async () => end() };
    },
    confirm: async () => {},
    connections: () => embedded.connections(),
    isConcurrent: false,
    ...(folder === undefined && { keep: (place: KeptImage) => thread.keep(place) }),
    emptyCommand: `tonwire empty-index --data ${folder === undefined ? "(in memory)" : dirname(folder)}`,
    async close() {
      await embedded.close();
      await thread.close();
    },
  };
}

async function freeBytesOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Throws when the disk is nearly full: the engine does not recover when its log cannot be written. */
function confirmRoom(folder: string, freeBytes: number): void {
  if (freeBytes >= reserveBytes) return;
  const wanted = reserveBytes / 1024 / 1024;
  throw new NoRoomError(folder, wanted);
}

/** No other process shares the database, and there is no connection that could break. */
function unshared(): Lock {
  const never = new AbortController().signal;
  setMaxListeners(0, never);
  return { lost: never, confirm: async () => {}, release: async () => {} };
}
