import type { FolderImage, ImageFile } from "./folder-image.js";

export type Bytes = Uint8Array | Int8Array;

/** A page of the engine, which reads and writes whole ones of nearly all files. */
const pageBytes = 8192;
const zeros = Buffer.alloc(pageBytes);

/** The content of a file, whose length is elsewhere. What was never written is what the image has, then zeros. */
export class PagedFile {
  readonly #pages: (Bytes | undefined)[] = [];
  readonly #image: FolderImage | undefined;
  readonly #at: number;
  /** Bytes of the image that are still the file's. */
  #imageLength: number;

  constructor(origin?: { image: FolderImage; file: ImageFile }) {
    this.#image = origin?.image;
    this.#at = origin?.file.at ?? 0;
    this.#imageLength = origin?.file.length ?? 0;
  }

  read(buffer: Bytes, offset: number, length: number, position: number): void {
    for (let done = 0; done < length; ) {
      const start = (position + done) % pageBytes;
      const count = Math.min(pageBytes - start, length - done);
      const page = this.#pages[Math.floor((position + done) / pageBytes)];
      if (page === undefined) this.#readUnwritten(buffer, offset + done, count, position + done);
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
      if (page !== undefined) page.set(bytes, start);
      else if (!this.#isUnwritten(bytes, position + done))
        this.#pages[index] = this.#pageWith(bytes, index, start);
      done += count;
    }
  }

  /** Forgets what is behind the first `size` bytes. */
  cut(size: number): void {
    const whole = Math.floor(size / pageBytes);
    this.#pages[whole]?.fill(0, size % pageBytes);
    this.#pages.length = Math.min(this.#pages.length, Math.ceil(size / pageBytes));
    this.#imageLength = Math.min(this.#imageLength, size);
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
