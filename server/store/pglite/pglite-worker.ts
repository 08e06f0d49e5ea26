// The worker thread of PGlite. A running statement blocks it.
// Module state: the entry of a thread, which has one database.

import { workerData } from "node:worker_threads";
import { failureText } from "../../errors.js";
import type { FallbackReason } from "../../observe/fallback.js";
import { KeptFiles } from "../../os/kept-files.js";
import { ownPort } from "../../os/own-port.js";
import type { KeptImage } from "../database.js";
import { Checkpoints } from "./checkpoints.js";
import { emptyDatabase } from "./empty-database.js";
import { startEngine } from "./engine.js";
import { FolderImage } from "./folder-image.js";
import { MemoryFiles } from "./memory-files.js";
import { openInFolder } from "./pglite-folder.js";
import type { FromPglite, PgliteConfig, ToPglite } from "./pglite-protocol.js";

const port = ownPort();
const { folder, image } = workerData as PgliteConfig;

/** Bytes of the log after which a checkpoint is made: where pages are logged whole after each, a higher number pays. */
const memoryLogBytes = 4 << 20;
const folderLogBytes = 32 << 20;

/** `moved` buffers are transferred to the other thread instead of being copied. */
function say(message: FromPglite, moved: ArrayBuffer[] = []): void {
  port.postMessage(message, moved);
}

const reports = (reason: FallbackReason) => (error: unknown) =>
  say({ type: "fallback", reason, message: error instanceof Error ? failureText(error) : String(error) });

/**
 * Files of a database in memory need no second copy there: the default has 128 MB for it. Nor does it need parts
 * of the log that are kept to be written again: removing them and making room cost nothing.
 */
const inMemorySettings = [
  "shared_buffers=16MB",
  "wal_recycle=off",
  "wal_init_zero=off",
  "full_page_writes=off",
  "wal_level=minimal",
  "max_wal_senders=0",
];

const files =
  folder === undefined
    ? new MemoryFiles(
        image === undefined ? emptyDatabase() : new FolderImage(image),
        reports("database-pages"),
      )
    : undefined;
const database = files ? await startEngine({ fs: files }, inMemorySettings) : await openInFolder(folder!);
const checkpoints = new Checkpoints(database, folder === undefined ? memoryLogBytes : folderLogBytes);
let work = Promise.resolve();
/** The image to make once no transaction is open. */
let wanted: KeptImage | undefined;

/** After a checkpoint the files have all committed data. */
async function keepImage(): Promise<void> {
  if (!wanted || !files || !checkpoints.isIdle) return;
  const { folder, name, maxImages } = wanted;
  wanted = undefined;
  // Other devnets begin with it, and must not have the webhooks of this one.
  const { rows } = await database.query("select from tonwire_kept.webhooks limit 1");
  if (rows.length > 0) return;
  await database.exec("checkpoint");
  await new KeptFiles(folder, maxImages, reports("kept-file")).write(name, files.image());
}

async function take(message: ToPglite): Promise<void> {
  switch (message.type) {
    case "open":
      // The session before may have ended inside a transaction.
      await database.exec("rollback");
      await database.exec("discard all");
      say({ type: "opened", id: message.id });
      return;
    case "bytes":
      await database.execProtocolRawStream(message.bytes, {
        onRawData: (view) => {
          // Copied: `view` is memory of the engine.
          const bytes = new Uint8Array(view);
          checkpoints.answered(bytes);
          say({ type: "bytes", id: message.id, bytes }, [bytes.buffer]);
        },
      });
      say({ type: "done", id: message.id });
      await checkpoints.received(message.bytes.length);
      await keepImage();
      return;
    case "keep":
      wanted = message;
      await keepImage();
      return;
    case "close":
      await database.close();
      port.close();
  }
}

port.on("message", (message: ToPglite) => {
  work = work.then(() => take(message)).catch((error) => say({ type: "failed", message: String(error) }));
});
say({ type: "ready" });
