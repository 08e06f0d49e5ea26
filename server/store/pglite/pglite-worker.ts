// The worker thread of PGlite. A running statement blocks it.
// Module state: the entry of a thread, which has one database.

import type { PGlite } from "@electric-sql/pglite";
import { settled } from "../../../shared/values/promises.js";
import type { FallbackReason } from "../../observe/fallback.js";
import { Moved } from "../../os/channel/channel.js";
import { failureOf } from "../../os/channel/failure.js";
import { OwnThread } from "../../os/channel/thread.js";
import { KeptFiles } from "../../os/kept-files.js";
import type { KeptImage } from "../database.js";
import { Checkpoints } from "./checkpoints.js";
import { emptyDatabase } from "./empty-database.js";
import { startEngine } from "./engine.js";
import { FolderImage } from "./folder-image.js";
import { MemoryFiles } from "./memory-files.js";
import { openInFolder } from "./pglite-folder.js";
import type { PgliteEvents, PgliteSide } from "./pglite-protocol.js";

/** Bytes of the log after which a checkpoint is made: where pages are logged whole after each, a higher number pays. */
const memoryLogBytes = 4 << 20;
const folderLogBytes = 32 << 20;

const reports = (reason: FallbackReason) => (error: unknown) =>
  owner.tell("fallback", { reason, failure: failureOf(error) });

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

let files: MemoryFiles | undefined;
let database: PGlite;
let checkpoints: Checkpoints;
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

const handlers: PgliteSide = {
  open: inTurn(async ({ folder, image }) => {
    if (folder === undefined) {
      const first = image === undefined ? emptyDatabase() : new FolderImage(image);
      files = new MemoryFiles(first, reports("database-pages"));
      database = await startEngine({ fs: files }, inMemorySettings);
    } else database = await openInFolder(folder);
    checkpoints = new Checkpoints(database, files ? memoryLogBytes : folderLogBytes);
  }),
  begin: inTurn(async () => {
    // The session before may have ended inside a transaction.
    await database.exec("rollback");
    await database.exec("discard all");
  }),
  run: inTurn(async ({ session, bytes: request }) => {
    await database.execProtocolRawStream(request, {
      onRawData: (view) => {
        // Copied: `view` is memory of the engine.
        const bytes = new Uint8Array(view);
        checkpoints.answered(bytes);
        owner.tell("bytes", new Moved({ session, bytes }, [bytes.buffer]));
      },
    });
    await checkpoints.received(request.length);
    await keepImage();
  }),
  keep: inTurn(async (image) => {
    wanted = image;
    await keepImage();
  }),
  close: inTurn(async () => {
    await database.close();
    owner.close();
  }),
};

const owner = new OwnThread<PgliteEvents>({ handlers });

/** What the engine does for a call, after what it does for those before. */
function inTurn<Argument>(task: (argument: Argument) => Promise<void>) {
  return (argument: Argument): Promise<void> => {
    const done = work.then(() => task(argument));
    work = settled(done);
    return done;
  };
}
