import type { FolderImage, ImageFile } from "./folder-image.js";
import { type Bytes, type Page, type PagePool, pageBytes } from "./page-pool.js";

const zeros = Buffer.alloc(pageBytes);

/** The content of a file, whose length is elsewhere. What was never written is what the image has, then zeros. */
export class PagedFile {
  readonly #pages: (Page | undefined)[] = [];
  readonly #pool: PagePool;
  #image: FolderImage | undefined;
  /** Offset of the file in the image. */
  #at = 0;
  /** Bytes of the image that are still the file's. */
  #imageLength = 0;

  constructor(pool: PagePool) {
    this.#pool = pool;
    pool.releaseWith(this, this.#pages);
  }

  /** Gives an empty file the content of one in an image. */
  beginWith(image: FolderImage, { at, length }: ImageFile): void {
    this.#image = image;
    this.#at = at;
    this.#imageLength = length;
  }

  read(buffer: Bytes, offset: number, length: number, position: number): void {
    for (let done = 0; done < length; ) {
      const start = (position + done) % pageBytes;
      const count = Math.min(pageBytes - start, length - done);
      const page = this.#pages[Math.floor((position + done) / pageBytes)];
      if (page === undefined) this.#readUnwritten(buffer, offset + done, count, position + done);
      else if (typeof page === "number") this.#pool.read(page, buffer, offset + done, count, start);
      else buffer.set(page.subarray(start, start + count), offset + done);
      done += count;
    }
  }

  write(buffer: Bytes, offset: number, length: number, position: number): void {
    for (let done = 0; done < length; ) {
      const start = (position + done) % pageBytes;
      const count = Math.min(pageBytes - start, length - done);
      const index = Math.floor((position + done) / pageBytes);
      const bytes = buffer.subarray(offset + done, offset + done + count);
      const page = this.#pages[index];
      if (typeof page === "number") this.#overwrite(page, bytes, index, start);
      else if (page !== undefined) page.set(bytes, start);
      else if (!this.#isUnwritten(bytes, position + done))
        this.#pages[index] = this.#pool.keep(this.#pageWith(bytes, index, start));
      done += count;
    }
  }

  /** Forgets what is behind the first `size` bytes. */
  cut(size: number): void {
    const whole = Math.floor(size / pageBytes);
    const last = this.#pages[whole];
    if (typeof last === "number")
      this.#overwrite(last, zeros.subarray(size % pageBytes), whole, size % pageBytes);
    else last?.fill(0, size % pageBytes);
    this.#pool.release(this.#pages.splice(Math.ceil(size / pageBytes)));
    this.#imageLength = Math.min(this.#imageLength, size);
  }

  /** A page that cannot be written to the pool's file comes back to memory. */
  #overwrite(place: number, bytes: Bytes, index: number, start: number): void {
    const pool = this.#pool;
    if (pool.write(place, bytes, start)) return;
    const page = new Uint8Array(pageBytes);
    pool.read(place, page, 0, pageBytes, 0);
    page.set(bytes, start);
    pool.release([place]);
    this.#pages[index] = pool.keep(page);
  }

  /** Whether bytes without a page are what is read there anyway. */
  #isUnwritten(bytes: Bytes, position: number): boolean {
    if (position < this.#imageLength || bytes[0] !== 0) return false;
    return zeros
      .subarray(0, bytes.length)
      .equals(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length));
  }

  #pageWith(bytes: Bytes, index: number, start: number): Bytes {
    if (bytes.length === pageBytes) return bytes.slice();
    const page = new Uint8Array(pageBytes);
    this.#readUnwritten(page, 0, pageBytes, index * pageBytes);
    page.set(bytes, start);
    return page;
  }

  #readUnwritten(buffer: Bytes, offset: number, length: number, position: number): void {
    const inImage = Math.max(0, Math.min(this.#imageLength - position, length));
    if (inImage > 0) this.#image!.read(buffer, offset, inImage, this.#at + position);
    buffer.fill(0, offset + inImage, offset + length);
  }
}
