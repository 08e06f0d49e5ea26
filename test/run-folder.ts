import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRunning } from "./helpers/is-running.js";
import { runName, sharedServer } from "./helpers/once-per-run.js";

/** A file system in memory, where there is one: servers make thousands of files, which costs a disk half a second each time. */
const inMemory = "/dev/shm";
const roomyBytes = 4 * 1024 ** 3;

/** A folder for what files of a run share, and for their servers: `test/helpers/once-per-run.ts` fills it. */
export default function makeRunFolder(): () => void {
  for (const parent of [inMemory, tmpdir()]) if (existsSync(parent)) removeLeft(parent);
  const parent = isRoomy(inMemory) ? inMemory : tmpdir();
  const folder = mkdtempSync(join(parent, `tonwire-run-${process.pid}-`));
  // PostgreSQL reads it as another user.
  chmodSync(folder, 0o755);
  process.env["TONWIRE_TEST_RUN"] = folder;
  return () => {
    endServer(join(folder, sharedServer, "pid"));
    // A server that ends still removes files.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
}

/** Removes the folders of runs that were killed, which take up to a gigabyte of memory each. Their servers end without them. */
export function removeLeft(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = runName.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(parent, name), { recursive: true, force: true });
    } catch {
      // Another user's, or its server still writes: a later run removes it.
    }
  }
}

function endServer(pidFile: string): void {
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, "utf8")), "SIGQUIT");
}

function isRoomy(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= roomyBytes;
  } catch {
    return false;
  }
}
