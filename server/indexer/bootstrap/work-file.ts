import { readUint } from "../../../shared/ton/cells/boc/boc-header.js";
import { hashIndex } from "../../../shared/ton/cells/level.js";
import { PagedFile } from "./paged-file.js";

const headBytes = 4096;
/** Increment when the file changes its form. */
const edition = 1;
/** Level mask, a spare byte, depth, hash. A cell with several hashes has in place of its hash where these are. */
const recordBytes = 36;
const endBytes = 6;
/** Depth and hash at one level. */
const levelBytes = 34;

/** The bag that the file belongs to. */
type Subject = { size: number; mtimeMs: number; cells: number; hasIndex: boolean };

/** How far the cells are known. `next` is the cell that comes next; `offset` is where it begins. */
type Progress =
  | { phase: "locating"; next: number; offset: number; checksum: number; checked: number }
  | { phase: "hashing"; next: number; side: number }
  | { phase: "complete" };

const beginning: Progress = { phase: "locating", next: 0, offset: 0, checksum: 0, checked: 0 };

/**
 * Data about the cells of a bag, in a file beside it: hashes and depths, and where cells end if the bag has no
 * index. Progress is kept, so that a process that was killed continues.
 */
export class WorkFile {
  progress: Progress = beginning;
  /** Bytes in use behind the records, for cells with several hashes. */
  side = 0;
  readonly #file: PagedFile;
  readonly #subject: Subject;

  constructor(path: string, subject: Subject, maxPages: number) {
    this.#file = PagedFile.toWrite(path, maxPages);
    this.#subject = subject;
    const stored = this.#readHead();
    if (!stored) return;
    this.progress = stored;
    if (stored.phase === "hashing") this.side = stored.side;
  }

  /** Stores all that was written, then how far it reaches. */
  keep(progress: Progress): void {
    this.#file.flush();
    this.progress = progress;
    const head = new Uint8Array(headBytes);
    head.set(new TextEncoder().encode(JSON.stringify({ edition, ...this.#subject, progress })));
    this.#file.write(0, head);
    this.#file.store();
  }

  setEnd(i: number, end: number): void {
    const bytes = new Uint8Array(endBytes);
    writeUint(bytes, 0, end, endBytes);
    this.#file.write(this.#ends + i * endBytes, bytes);
  }

  end(i: number): number {
    return readUint(this.#file.read(this.#ends + i * endBytes, endBytes), 0, endBytes);
  }

  /** `hashes` and `depths` are those of the cell's significant levels, lowest first. */
  setHashes(i: number, mask: number, hashes: Uint8Array, depths: readonly number[]): void {
    const record = new Uint8Array(recordBytes);
    record[0] = mask;
    writeUint(record, 2, depths[0]!, 2);
    if (mask === 0) record.set(hashes.subarray(0, 32), 4);
    else writeUint(record, 4, this.#addLevels(hashes, depths), endBytes);
    this.#file.write(headBytes + i * recordBytes, record);
  }

  mask(i: number): number {
    return this.#record(i)[0]!;
  }

  depth(i: number, level: number): number {
    const record = this.#record(i);
    if (record[0] === 0) return readUint(record, 2, 2);
    return readUint(this.#level(record, level), 0, 2);
  }

  /** A view: copy it. */
  hash(i: number, level: number): Uint8Array {
    const record = this.#record(i);
    return record[0] === 0 ? record.subarray(4) : this.#level(record, level).subarray(2);
  }

  close(): void {
    this.#file.close();
  }

  #addLevels(hashes: Uint8Array, depths: readonly number[]): number {
    const at = this.side;
    const levels = new Uint8Array(levelBytes * depths.length);
    for (const [level, depth] of depths.entries()) {
      writeUint(levels, levelBytes * level, depth, 2);
      levels.set(hashes.subarray(32 * level, 32 * level + 32), levelBytes * level + 2);
    }
    this.#file.write(this.#sides + at, levels);
    this.side += levels.length;
    return at;
  }

  #level(record: Uint8Array, level: number): Uint8Array {
    const at = readUint(record, 4, endBytes) + levelBytes * hashIndex(record[0]!, level);
    return this.#file.read(this.#sides + at, levelBytes);
  }

  #record(i: number): Uint8Array {
    return this.#file.read(headBytes + i * recordBytes, recordBytes);
  }

  get #ends(): number {
    return headBytes + this.#subject.cells * recordBytes;
  }

  get #sides(): number {
    return this.#ends + (this.#subject.hasIndex ? 0 : this.#subject.cells * endBytes);
  }

  /** Undefined if the file is new, belongs to another bag or was made by another version. */
  #readHead(): Progress | undefined {
    const bytes = this.#file.read(0, headBytes);
    const end = bytes.indexOf(0);
    if (end <= 0) return undefined;
    const { progress, ...stored } = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end))) as {
      progress: Progress;
    };
    const isOurs = JSON.stringify(stored) === JSON.stringify({ edition, ...this.#subject });
    return isOurs ? progress : undefined;
  }
}

function writeUint(bytes: Uint8Array, at: number, value: number, size: number): void {
  let rest = value;
  for (let i = at + size - 1; i >= at; i--) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
}
