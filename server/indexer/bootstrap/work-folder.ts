import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { FileLock } from "../../os/file-lock.js";
import { makeFolder } from "../../os/folder.js";

/** The folder of work files, which are kept until the accounts of their bags are stored. */
export class WorkFolder {
  readonly #path: string;
  readonly #lock: FileLock;
  readonly #files: Set<string>;

  private constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
    this.#files = new Set([lockIn(path)]);
  }

  /** Throws a SetupError if another process uses it, or if it cannot be made. */
  static async open(path: string): Promise<WorkFolder> {
    makeFolder(path);
    return new WorkFolder(path, await FileLock.take(lockIn(path)));
  }

  pathFor(file: string): string {
    const path = join(this.#path, `${basename(file)}.cells`);
    this.#files.add(path);
    return path;
  }

  /** Removes its own files only, as the folder may be one of the operator's. */
  async close({ remove }: { remove: boolean }): Promise<void> {
    await this.#lock.release();
    if (!remove) return;
    for (const path of this.#files) rmSync(path, { force: true });
    if (readdirSync(this.#path).length === 0) rmdirSync(this.#path);
  }
}

function lockIn(path: string): string {
  return join(path, "lock");
}
