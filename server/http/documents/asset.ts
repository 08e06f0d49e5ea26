import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { compressFromBytes } from "../compress.js";

const gzipAsync = promisify(gzip);

type Loaded = { readonly bytes: Buffer; readonly etag: string; readonly gzipped: Buffer | undefined };

/** A static document or file. Created, hashed and compressed on the first request, then cached. */
export class Asset {
  readonly type: string;
  readonly #make: () => string | Promise<Buffer>;
  #loaded: Promise<Loaded> | undefined;

  constructor(type: string, make: () => string | Promise<Buffer>) {
    this.type = type;
    this.#make = make;
  }

  load(): Promise<Loaded> {
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<Loaded> {
    const bytes = Buffer.from(await this.#make());
    // Weak, because the compressed form has the same ETag.
    const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    const gzipped = bytes.length < compressFromBytes ? undefined : await gzipAsync(bytes);
    return { bytes, etag, gzipped };
  }
}
