import { createHash, type Hash, randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "./folder.js";

const digestBytes = 32;
const suffix = ".kept";
const unfinished = ".new";
/** After this time the process that was writing a file is taken to have ended. */
const unfinishedMs = 3_600_000;
/** Read at a time. */
const partBytes = 1 << 20;

/**
 * Files of a folder that later processes use to start faster, each with the digest of its content behind it. Several
 * processes may share the folder. Nothing depends on a file: one that is missing or damaged is not found, and one that
 * cannot be read or written neither, which `onFailure` reports.
 */
export class KeptFiles {
  readonly #folder: string;
  readonly #maxFiles: number;
  readonly #onFailure: (error: unknown) => void;
  readonly #others: KeptFiles | undefined;

  /** Beyond `maxFiles` the oldest files are removed. `others` are only read, for files that this folder lacks. */
  constructor(folder: string, maxFiles: number, onFailure: (error: unknown) => void, others?: KeptFiles) {
    this.#folder = folder;
    this.#maxFiles = maxFiles;
    this.#onFailure = onFailure;
    this.#others = others;
  }

  /** The content of a file; `undefined` if there is none that is whole. */
  async read(name: string): Promise<Uint8Array | undefined> {
    return (await this.#readOwn(name)) ?? this.#others?.read(name);
  }

  /** The path of a file whose content is too large to read in one piece. */
  async find(name: string): Promise<string | undefined> {
    return (await this.#findOwn(name)) ?? this.#others?.find(name);
  }

  async #readOwn(name: string): Promise<Uint8Array | undefined> {
    const bytes = await this.#ifThere(readFile(this.#pathOf(name)));
    if (bytes === undefined) return undefined;
    const content = bytes.subarray(0, Math.max(0, bytes.length - digestBytes));
    const digest = createHash("sha256").update(content).digest();
    return digest.equals(bytes.subarray(content.length)) ? content : undefined;
  }

  async #findOwn(name: string): Promise<string | undefined> {
    const path = this.#pathOf(name);
    const file = await this.#ifThere(open(path));
    try {
      return file && (await isWhole(file)) ? path : undefined;
    } catch (error) {
      this.#onFailure(error);
      return undefined;
    } finally {
      await file?.close();
    }
  }

  /** Writes the parts under another name first, so that no reader finds half of the file. */
  async write(name: string, parts: Iterable<Uint8Array>): Promise<void> {
    const aside = join(this.#folder, randomUUID() + unfinished);
    try {
      makeFolder(this.#folder);
      await writeFile(aside, withDigest(parts, createHash("sha256")), { mode: 0o600 });
      await rename(aside, this.#pathOf(name));
      await this.#removeOldest();
    } catch (error) {
      this.#onFailure(error);
      // A later process removes it.
      await rm(aside, { force: true }).catch(() => {});
    }
  }

  async #ifThere<T>(read: Promise<T>): Promise<T | undefined> {
    try {
      return await read;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") this.#onFailure(error);
      return undefined;
    }
  }

  async #removeOldest(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.#folder)).map(async (name) => {
        const path = join(this.#folder, name);
        return { path, at: (await stat(path)).mtimeMs };
      }),
    );
    const kept = files.filter(({ path }) => path.endsWith(suffix)).sort((one, other) => other.at - one.at);
    const isLeft = ({ path, at }: (typeof files)[number]) =>
      path.endsWith(unfinished) && at < Date.now() - unfinishedMs;
    const old = [...kept.slice(this.#maxFiles), ...files.filter(isLeft)];
    await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  }

  #pathOf(name: string): string {
    return join(this.#folder, name + suffix);
  }
}

/** The folder in which a start finds what earlier starts of the same code have kept. */
export type StartCache = { folder: string; edition: string };

/** What the build made for the starts of its code, under the name of its edition. In a source tree there is nothing. */
export function builtFiles(onFailure: (error: unknown) => void): KeptFiles {
  return new KeptFiles(fileURLToPath(new URL("../kept", import.meta.url)), 0, onFailure);
}

function* withDigest(parts: Iterable<Uint8Array>, digest: Hash): Generator<Uint8Array> {
  for (const part of parts) {
    digest.update(part);
    yield part;
  }
  yield digest.digest();
}

/** Whether what is in front of the digest is what was written. */
async function isWhole(file: FileHandle): Promise<boolean> {
  const length = (await file.stat()).size - digestBytes;
  if (length <= 0) return false;
  const digest = createHash("sha256");
  const reading = { start: 0, end: length - 1, highWaterMark: partBytes, autoClose: false };
  for await (const part of file.createReadStream(reading)) digest.update(part);
  const written = Buffer.alloc(digestBytes);
  await file.read(written, 0, digestBytes, length);
  return digest.digest().equals(written);
}
