import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { SetupError } from "../errors.js";

/**
 * An exclusive lock on a file, held by the operating system for the open file: it ends with the process in any case,
 * and it works across all processes on the same kernel, including other containers. The text in the file only names
 * the holder in error messages. The file is kept when the lock is released: if it were removed, two processes could
 * lock two files of the same name.
 */
export class FileLock {
  #file: number | undefined;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Takes the lock. Throws `SetupError` if another process, or another part of this one, holds it. */
  static async take(path: string): Promise<FileLock> {
    const tryLock = await loadTryLock();
    const file = openSync(path, "a+", 0o600);
    try {
      if (!tryLock(file)) throw new SetupError(`${path} is held by ${describeHolder(file)}`);
      ftruncateSync(file);
      writeSync(file, `${process.pid} ${hostname()}\n`);
      return new FileLock(file);
    } catch (error) {
      closeSync(file);
      throw isUnsupported(error) ? cannotLock(path, error) : error;
    }
  }

  /** Others may take the lock from now on. */
  async release(): Promise<void> {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}

type TryLock = (file: number) => boolean;

/** Loaded on first use: the addon exists for glibc Linux, macOS and Windows only, and a service in memory needs none. */
async function loadTryLock(): Promise<TryLock> {
  try {
    return (await import("fs-native-extensions")).default.tryLock;
  } catch (cause) {
    throw new SetupError("data folders need file locks, which are not available on this platform", { cause });
  }
}

function describeHolder(file: number): string {
  const [pid = "", host = ""] = readFileSync(file, "utf8").trim().split(" ");
  if (pid === "") return "another process";
  return host === "" || host === hostname() ? `process ${pid}` : `process ${pid} on ${host}`;
}

/** Some network file systems have no locks. */
function isUnsupported(error: unknown): error is NodeJS.ErrnoException {
  return ["ENOLCK", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes((error as NodeJS.ErrnoException).code ?? "");
}

function cannotLock(path: string, cause: Error): SetupError {
  return new SetupError(`${path} cannot be locked: its file system has no locks`, { cause });
}
