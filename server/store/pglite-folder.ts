import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { SetupError } from "../errors.js";
import { makeFolder } from "../os/folder.js";

/** What PostgreSQL says of a folder: each of its versions reads its own. */
const engineFormat = "18";
/** The engine asks a disk for as much at a time. */
const trialBytes = 16 * 1024 * 1024;

/** Opens the database in a folder, which is made if need be. */
export async function openInFolder(path: string): Promise<PGlite> {
  const format = formatOf(path);
  if (format === undefined) await makeDatabase(path);
  else if (format !== engineFormat)
    throw new SetupError(
      `${path} holds a database of PostgreSQL ${format}, not of ${engineFormat}: without it the index is made anew`,
    );
  const database = await explained(path, () => PGlite.create({ dataDir: path }));
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

/** Absent where nothing is. */
function formatOf(path: string): string | undefined {
  if (!statSync(path, { throwIfNoEntry: false })) return undefined;
  const names = readdirSync(path);
  if (names.length === 0) return undefined;
  if (!names.includes("PG_VERSION")) throw new SetupError(`${path} holds something else than a database`);
  return readFileSync(join(path, "PG_VERSION"), "utf8").trim();
}

/** Made under another name first, so that a folder that is there is whole, whenever the process may have ended. */
async function makeDatabase(path: string): Promise<void> {
  const unfinished = `${path}.unfinished`;
  const remove = () => rmSync(unfinished, { recursive: true, force: true });
  remove();
  makeFolder(dirname(path));
  try {
    await explained(path, async () => (await PGlite.create({ dataDir: unfinished })).close());
    renameSync(unfinished, path);
  } catch (error) {
    remove();
    throw error;
  }
}

/** The engine says no more than that it gave up; a trial shows whether it was for the disk. */
async function explained<T>(path: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    const problem = diskProblem(`${path}.trial`);
    if (problem !== undefined)
      throw new Error(`nothing can be written to ${dirname(path)}: ${problem}`, { cause });
    throw new Error(`the database in ${path} cannot be opened: ${(cause as Error).message}`, { cause });
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
