import { closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { LRUCache } from "lru-cache";

const pageBytes = 1 << 16;

type Page = { readonly number: number; readonly bytes: Uint8Array; isChanged: boolean };

/**
 * A file that is read and written in pages, of which the last used ones stay in memory. Calls are synchronous, as the
 * cells of a tree are read one by one.
 */
export class PagedFile {
  readonly #file: number;
  readonly #pages: LRUCache<number, Page>;
  /** The page used last: most reads are next to each other. */
  #last: Page | undefined;

  private constructor(file: number, maxPages: number) {
    this.#file = file;
    this.#pages = new LRUCache({ max: maxPages, dispose: (page) => this.#store(page) });
  }

  static toRead(path: string, maxPages: number): PagedFile {
    return new PagedFile(openSync(path, "r"), maxPages);
  }

  /** Creates the file if it does not exist. */
  static toWrite(path: string, maxPages: number): PagedFile {
    return new PagedFile(openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600), maxPages);
  }

  /** Size of the file, without what is not written yet. */
  stat(): { size: number; mtimeMs: number } {
    return fstatSync(this.#file);
  }

  /** Bytes from a position; zeros beyond the end. A view of a page where possible: read it before the next call. */
  read(at: number, length: number): Uint8Array {
    const offset = at % pageBytes;
    const page = this.#page((at - offset) / pageBytes);
    if (offset + length <= pageBytes) return page.bytes.subarray(offset, offset + length);
    const bytes = new Uint8Array(length);
    const own = pageBytes - offset;
    bytes.set(page.bytes.subarray(offset));
    bytes.set(this.read(at + own, length - own), own);
    return bytes;
  }

  write(at: number, bytes: Uint8Array): void {
    const offset = at % pageBytes;
    const page = this.#page((at - offset) / pageBytes);
    const own = Math.min(bytes.length, pageBytes - offset);
    page.bytes.set(bytes.subarray(0, own), offset);
    page.isChanged = true;
    if (own < bytes.length) this.write(at + own, bytes.subarray(own));
  }

  /** Writes all changes, so that they outlive this process. */
  store(): void {
    for (const page of this.#pages.values()) this.#store(page);
  }

  /** The same, so that they outlive a loss of power too. */
  flush(): void {
    this.store();
    fsyncSync(this.#file);
  }

  close(): void {
    closeSync(this.#file);
  }

  #page(number: number): Page {
    if (this.#last?.number === number) return this.#last;
    let page = this.#pages.get(number);
    if (!page) {
      page = { number, bytes: new Uint8Array(pageBytes), isChanged: false };
      for (let done = 0; done < pageBytes; ) {
        const count = readSync(this.#file, page.bytes, done, pageBytes - done, number * pageBytes + done);
        if (count === 0) break;
        done += count;
      }
      this.#pages.set(number, page);
    }
    this.#last = page;
    return page;
  }

  #store(page: Page): void {
    if (!page.isChanged) return;
    for (let done = 0; done < pageBytes; )
      done += writeSync(this.#file, page.bytes, done, pageBytes - done, page.number * pageBytes + done);
    page.isChanged = false;
  }
}
