import { open, readdir, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { FileLock } from "../../os/file-lock.js";
import { makeFolder } from "../../os/folder.js";
import { ifMissing } from "../../os/if-missing.js";
import { replaceFile } from "../../os/replace-file.js";

/** Number of snapshots on disk. The older one is a fallback in case the newest is damaged. */
const maxSnapshots = 2;

/**
 * The directory of a chain: lock, log, meta.json with the chain's identity, elections.json with election settings,
 * names.json with names of accounts, and snapshots by masterchain seqno.
 */
export class DataDirectory {
  readonly path: string;
  readonly #lock: FileLock;

  private constructor(path: string, lock: FileLock) {
    this.path = path;
    this.#lock = lock;
  }

  /** Creates the folder if necessary and takes its lock; fails while another process holds it. */
  static async open(path: string): Promise<DataDirectory> {
    makeFolder(path);
    const lock = await FileLock.take(join(path, "lock"));
    return new DataDirectory(path, lock);
  }

  get logPath(): string {
    return join(this.path, "chain.log");
  }

  /** Text of meta.json; `undefined` in a new directory. */
  readMeta(): Promise<string | undefined> {
    return readFile(join(this.path, "meta.json"), "utf8").catch(ifMissing(undefined));
  }

  writeMeta(text: string): Promise<void> {
    return this.#replace("meta.json", Buffer.from(text));
  }

  /** Text of elections.json; `undefined` if nothing was set. */
  readElections(): Promise<string | undefined> {
    return readFile(join(this.path, "elections.json"), "utf8").catch(ifMissing(undefined));
  }

  /** The file has private keys, so only the owner may read it. */
  writeElections(text: string): Promise<void> {
    return this.#replace("elections.json", Buffer.from(text), 0o600);
  }

  /** Text of names.json; `undefined` if no account was named. */
  readNames(): Promise<string | undefined> {
    return readFile(join(this.path, "names.json"), "utf8").catch(ifMissing(undefined));
  }

  writeNames(text: string): Promise<void> {
    return this.#replace("names.json", Buffer.from(text));
  }

  /** Masterchain seqnos of the snapshots, newest first. */
  async snapshots(): Promise<number[]> {
    const names = await readdir(this.path);
    return names
      .flatMap((name) => /^state-(\d{1,10})\.boc$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
  }

  readSnapshot(seqno: number): Promise<Uint8Array | undefined> {
    return readFile(this.#snapshotPath(seqno)).catch(ifMissing(undefined));
  }

  async writeSnapshot(seqno: number, boc: Uint8Array): Promise<void> {
    await this.#replace(`state-${seqno}.boc`, boc);
    const old = (await this.snapshots()).slice(maxSnapshots);
    await Promise.all(old.map((each) => unlink(this.#snapshotPath(each))));
  }

  /** Deletes the snapshots of reverted blocks. */
  async dropSnapshotsAfter(seqno: number): Promise<void> {
    const gone = (await this.snapshots()).filter((each) => each > seqno);
    await Promise.all(gone.map((each) => unlink(this.#snapshotPath(each))));
  }

  /** Makes created and renamed files survive a power failure. */
  async sync(): Promise<void> {
    const folder = await open(this.path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  release(): Promise<void> {
    return this.#lock.release();
  }

  #snapshotPath(seqno: number): string {
    return join(this.path, `state-${seqno}.boc`);
  }

  async #replace(name: string, bytes: Uint8Array, mode?: number): Promise<void> {
    await replaceFile(join(this.path, name), bytes, { mode });
    await this.sync();
  }
}
