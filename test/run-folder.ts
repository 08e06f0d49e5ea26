import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedServer } from "./helpers/once-per-run.js";

/** A file system in memory, where there is one: servers make thousands of files, which costs a disk half a second each time. */
const inMemory = "/dev/shm";
const roomyBytes = 4 * 1024 ** 3;

/** A folder for what files of a run share, and for their servers: `test/helpers/once-per-run.ts` fills it. */
export default function makeRunFolder(): () => void {
  const folder = mkdtempSync(join(isRoomy(inMemory) ? inMemory : tmpdir(), "tonwire-run-"));
  // PostgreSQL reads it as another user.
  chmodSync(folder, 0o755);
  process.env["TONWIRE_TEST_RUN"] = folder;
  return () => {
    endServer(join(folder, sharedServer, "pid"));
    // A server that ends still removes files.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
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
