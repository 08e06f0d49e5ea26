import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "./folder.js";

const digestBytes = 32;
const suffix = ".kept";

/**
 * Files of a folder that later processes use to start faster. Several processes may share the folder. Nothing depends on a
 * file: one that is missing, damaged or unreadable is not found, and one that cannot be written is not kept.
 */
export class KeptFiles {
  readonly #folder: string;
  readonly #maxFiles: number;

  /** Of more than `maxFiles` the oldest are removed. */
  constructor(folder: string, maxFiles: number) {
    this.#folder = folder;
    this.#maxFiles = maxFiles;
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const bytes = await readFile(this.#pathOf(name)).catch(() => undefined);
    if (bytes === undefined) return undefined;
    const content = bytes.subarray(digestBytes);
    return digestOf(content).equals(bytes.subarray(0, digestBytes)) ? content : undefined;
  }

  /** Under another name first, so that no reader finds half of it. */
  async write(name: string, content: Uint8Array): Promise<void> {
    const aside = join(this.#folder, `${randomUUID()}.new`);
    try {
      makeFolder(this.#folder);
      await writeFile(aside, Buffer.concat([digestOf(content), content]), { mode: 0o600 });
      await rename(aside, this.#pathOf(name));
      await this.#removeOldest();
    } catch {
      await rm(aside, { force: true }).catch(() => {});
    }
  }

  async #removeOldest(): Promise<void> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(suffix));
    const files = await Promise.all(
      names.map(async (name) => {
        const path = join(this.#folder, name);
        return { path, at: (await stat(path)).mtimeMs };
      }),
    );
    const old = files.sort((one, other) => other.at - one.at).slice(this.#maxFiles);
    await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + suffix);
  }
}

function digestOf(content: Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}
