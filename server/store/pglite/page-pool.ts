import { randomUUID } from "node:crypto";
import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Bytes = Uint8Array | Int8Array;

/** A page of the engine, which reads and writes whole ones of nearly all files. */
export const pageBytes = 8192;

/** A page in memory, or its place in the pool's file. */
export type Page = Bytes | number;

/** A file without a name, of which the system removes what is in it when it is closed, also by a crash. */
export type UnnamedFile = {
  /** Both return the number of bytes. */
  read(buffer: Bytes, offset: number, length: number, position: number): number;
  write(bytes: Bytes, position: number): number;
  close(): void;
};

type PagePoolOptions = { openFile?: () => UnnamedFile; onNoFile?: (error: unknown) => void };

/**
 * Pages of files that are gone with the process: so many in memory, further ones in a temporary file. If that cannot be
 * written, they are kept in memory too.
 */
export class PagePool {
  readonly #openFile: () => UnnamedFile;
  readonly #onNoFile: (error: unknown) => void;
  /** Pages that memory still has room for. */
  #room: number;
  #file: UnnamedFile | undefined;
  #isFull = false;
  #places = 0;
  readonly #free: number[] = [];
  /** Files may be read after they were removed, so their pages are released when nobody has them any more. */
  readonly #owners = new FinalizationRegistry<readonly (Page | undefined)[]>((pages) => this.release(pages));

  /** `onNoFile`: called once, when the file cannot be written. */
  constructor(pagesInMemory: number, { openFile = openUnnamed, onNoFile = () => {} }: PagePoolOptions = {}) {
    this.#room = pagesInMemory;
    this.#openFile = openFile;
    this.#onNoFile = onNoFile;
  }

  /** Releases these pages once the owner is garbage. */
  releaseWith(owner: object, pages: readonly (Page | undefined)[]): void {
    this.#owners.register(owner, pages);
  }

  keep(page: Bytes): Page {
    if (this.#room <= 0) {
      const place = this.#free.pop() ?? this.#places++;
      if (this.write(place, page, 0)) return place;
      this.#free.push(place);
    }
    this.#room--;
    return page;
  }

  /** Reads `length` bytes of the page from `start` on. */
  read(place: number, buffer: Bytes, offset: number, length: number, start: number): void {
    if (this.#file!.read(buffer, offset, length, place * pageBytes + start) !== length)
      throw new Error("the temporary file of the database ends too early");
  }

  /** Whether the bytes could be written into the page. */
  write(place: number, bytes: Bytes, start: number): boolean {
    if (this.#isFull) return false;
    try {
      this.#file ??= this.#openFile();
      const written = this.#file.write(bytes, place * pageBytes + start);
      if (written === bytes.length) return true;
      this.#onNoFile(new Error(`${written} of ${bytes.length} bytes of a page could be written`));
    } catch (error) {
      this.#onNoFile(error);
    }
    this.#isFull = true;
    return false;
  }

  release(pages: Iterable<Page | undefined>): void {
    for (const page of pages) {
      if (typeof page === "number") this.#free.push(page);
      else if (page !== undefined) this.#room++;
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
  }
}

export function openUnnamed(): UnnamedFile {
  const path = join(tmpdir(), `tonwire-${randomUUID()}`);
  const file = openSync(path, "wx+", 0o600);
  rmSync(path);
  return {
    read: (buffer, offset, length, position) => readSync(file, buffer, offset, length, position),
    write: (bytes, position) => writeSync(file, bytes, 0, bytes.length, position),
    close: () => closeSync(file),
  };
}
