import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import { SetupError } from "../../errors.js";
import { makeFolder } from "../../os/folder.js";
import { emptyDatabase } from "./empty-database.js";
import { startEngine } from "./engine.js";

/** The content of PG_VERSION. PostgreSQL reads only data folders of its own major version. */
const engineFormat = "18";
/** Size of a segment of the write-ahead log, which the engine allocates at once. */
const trialBytes = 16 * 1024 * 1024;

/** The system keeps files of a database in its own memory; the default has 128 MB for them in that of the process. */
const settings = ["shared_buffers=32MB"];

const remedy =
  "if it is damaged, move this folder away: the index is made anew, webhooks and messages that were sent are lost";

/** Opens the database in a folder; creates it if there is none. */
export async function openInFolder(path: string): Promise<PGlite> {
  const format = formatOf(path);
  if (format === undefined) await makeDatabase(path);
  else if (format !== engineFormat)
    throw new SetupError(
      `${path} holds a database of PostgreSQL ${format}, not of ${engineFormat}: without it the index is made anew`,
    );
  const database = await explained(path, () => startEngine({ dataDir: path }, settings));
  makePrivate(path);
  return database;
}

/**
 * The engine makes some of its files with modes of its own, whatever the umask says, and earlier versions of this service
 * left nearly all of them writable by everybody.
 */
function makePrivate(folder: string): void {
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makePrivate(path);
    else if (entry.isFile()) chmodSync(path, 0o600);
  }
}

/** `undefined` if the folder is missing or empty. */
function formatOf(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const names = readdirSync(path);
  if (names.length === 0) return undefined;
  if (!names.includes("PG_VERSION")) throw new SetupError(`${path} holds something else than a database`);
  return readFileSync(join(path, "PG_VERSION"), "utf8").trim();
}

/** Creates the database under another name and renames it, so that a crash leaves no incomplete folder. */
async function makeDatabase(path: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  remove();
  makeFolder(dirname(path));
  try {
    await explained(path, () => makeEmpty(unfinished));
    renameSync(unfinished, path);
  } catch (error) {
    remove();
    throw error;
  }
}

async function makeEmpty(folder: string): Promise<void> {
  const image = emptyDatabase();
  if (image === undefined) return (await startEngine({ dataDir: folder })).close();
  try {
    makeFolder(folder);
    image.copyTo(folder);
  } finally {
    image.close();
  }
}

/** The engine reports only that it aborted. A trial write shows whether the disk was the reason. */
async function explained<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const problem = diskProblem(`${path}.trial`);
    if (problem !== undefined)
      throw new Error(`nothing can be written to ${dirname(path)}: ${problem}`, { cause });
    throw new Error(`the database in ${path} cannot be opened: ${(cause as Error).message}; ${remedy}`, {
      cause,
    });
  }
}

function diskProblem(trial: string): string | undefined {
  try {
    writeFileSync(trial, new Uint8Array(trialBytes));
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(trial, { force: true });
  }
}
