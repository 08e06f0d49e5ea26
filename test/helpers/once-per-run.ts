import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { FileLock } from "../../server/os/file-lock.js";
import { until } from "./until.js";

/** The folder of this run of tests; there is none outside of one. */
const run = process.env["TONWIRE_TEST_RUN"];

/** How the folder of a run is named: by the process of the run. */
export const runName = /^tonwire-run-(\d+)-/;

/** The process of this run. What outlives a run that is killed has it in its name, so that a later run removes it. */
export const runPid = Number(runName.exec(basename(run ?? ""))?.[1] ?? process.pid);

/** The folder of the PostgreSQL server of a run, which `test/run-folder.ts` ends: its address and its process. */
export const sharedServer = "postgres-server";

/** An empty folder, which is gone after the run at the latest. */
export function folderInRun(prefix: string): string {
  return mkdtempSync(join(run ?? tmpdir(), prefix));
}

/**
 * A folder that the first file of a run makes and all others read, even files that run concurrently. Outside of a run
 * of tests there is none.
 */
export async function oncePerRun(
  name: string,
  make: (folder: string) => void | Promise<void>,
): Promise<string | undefined> {
  if (run === undefined) return undefined;
  const folder = join(run, name);
  const taken = () => FileLock.take(`${folder}.lock`).catch(() => undefined);
  if (existsSync(folder)) return folder;
  const lock = await until(`the lock of ${name}`, taken);
  try {
    if (!existsSync(folder)) await makeWhole(folder, make);
  } finally {
    await lock.release();
  }
  return folder;
}

/** Makes a folder under another name, so that one that was left in the middle is not taken. */
async function makeWhole(folder: string, make: (folder: string) => void | Promise<void>): Promise<void> {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  await make(unfinished);
  renameSync(unfinished, folder);
}
