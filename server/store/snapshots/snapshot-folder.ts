import { type FileHandle, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { FileLock } from "../../os/file-lock.js";
import { makeFolder } from "../../os/folder.js";
import { ifMissing } from "../../os/if-missing.js";
import { replaceFile } from "../../os/replace-file.js";
import {
  type Manifest,
  manifestName,
  nameOf,
  parseFile,
  parseManifest,
  type SnapshotFile,
} from "./manifest.js";

const journalName = "unfinished.jsonl";
const lockName = "lock";

/** The folder that a snapshot is written to: its files, and the notes of an export that has not ended. */
export class SnapshotFolder {
  readonly #path: string;
  readonly #lock: FileLock;
  #journal: FileHandle | undefined;

  private constructor(path: string, lock: FileLock) {
    this.#path = path;
    this.#lock = lock;
  }

  /** Throws `SetupError` if another process writes to it. */
  static async open(path: string): Promise<SnapshotFolder> {
    makeFolder(path);
    return new SnapshotFolder(path, await FileLock.take(join(path, lockName)));
  }

  /** The manifest of the last export that has ended. */
  async manifest(): Promise<Manifest | undefined> {
    const path = join(this.#path, manifestName);
    const text = await readFile(path, "utf8").catch(ifMissing(undefined));
    return text === undefined ? undefined : parseManifest(text, path);
  }

  /** The whole files of this index that earlier exports have written. */
  async files(index: string): Promise<SnapshotFile[]> {
    const written = (await this.manifest())?.files ?? [];
    const [head, ...lines] = (await readFile(this.#in(journalName), "utf8").catch(ifMissing(""))).split("\n");
    // Another index was exported here before.
    const noted = head === index ? lines.flatMap((line) => parseFile(line) ?? []) : [];
    const found: SnapshotFile[] = [];
    for (const file of [...written, ...noted])
      if ((await stat(this.#in(nameOf(file))).catch(ifMissing(undefined)))?.size === file.bytes)
        found.push(file);
    return found;
  }

  /** Notes are kept from now on until `finish`. */
  async begin(index: string, files: readonly SnapshotFile[]): Promise<void> {
    await this.#journal?.close();
    const lines = [index, ...files.map((file) => JSON.stringify(file)), ""];
    await replaceFile(this.#in(journalName), lines.join("\n"));
    this.#journal = await open(this.#in(journalName), "a");
  }

  /** The file is whole when its note is there. */
  async write(file: SnapshotFile, bytes: Uint8Array): Promise<void> {
    await replaceFile(this.#in(nameOf(file)), bytes);
    await this.#journal!.appendFile(`${JSON.stringify(file)}\n`);
  }

  /** Writes the manifest, then removes the files that it does not name. */
  async finish(manifest: Manifest): Promise<void> {
    await replaceFile(this.#in(manifestName), `${JSON.stringify(manifest)}\n`);
    await this.#journal?.close();
    this.#journal = undefined;
    await rm(this.#in(journalName), { force: true });
    const named = new Set(manifest.files.map(nameOf));
    for (const name of await readdir(this.#path))
      if (/\.copy\.gz(\.new)?$/.test(name) && !named.has(name)) await rm(this.#in(name));
  }

  async close(): Promise<void> {
    await this.#journal?.close();
    this.#journal = undefined;
    await this.#lock.release();
  }

  #in(name: string): string {
    return join(this.#path, name);
  }
}
