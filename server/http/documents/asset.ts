import { createHash } from "node:crypto";
import { lazy } from "../../../shared/values/lazy.js";
import { compressFromBytes, compressOften, type Encoding } from "../answers/compress.js";

type Loaded = {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Compressed forms, which are made when a client first wants them; none for short documents. */
  readonly compressed: Readonly<Record<Encoding, () => Promise<Buffer>>> | undefined;
};

/** The source of a document; its edition changes with its content. */
type Source = { edition(): Promise<object | undefined> };

/** A document or file. Created and hashed on the first request, then cached: with a source, while its edition lasts. */
export class Asset {
  readonly type: string;
  /** Whether its path names its content. */
  readonly isFixed: boolean;
  readonly #make: () => string | Promise<Buffer>;
  readonly #source: Source | undefined;
  #edition: object | undefined;
  #loaded: Promise<Loaded> | undefined;

  constructor(type: string, make: () => string | Promise<Buffer>, source?: Source, isFixed = false) {
    this.type = type;
    this.isFixed = isFixed;
    this.#make = make;
    this.#source = source;
  }

  /** One whose path names its content, so that it may be cached for ever. */
  static fixed(type: string, make: () => Promise<Buffer>): Asset {
    return new Asset(type, make, undefined, true);
  }

  async load(): Promise<Loaded> {
    const edition = await this.#source?.edition();
    if (edition !== this.#edition) this.#loaded = undefined;
    this.#edition = edition;
    this.#loaded ??= this.#load();
    return this.#loaded;
  }

  async #load(): Promise<Loaded> {
    const bytes = Buffer.from(await this.#make());
    // Weak, because the compressed forms have the same ETag.
    const etag = `W/"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    const form = (encoding: Encoding) => lazy(() => compressOften(bytes, encoding));
    const compressed = bytes.length < compressFromBytes ? undefined : { br: form("br"), gzip: form("gzip") };
    return { bytes, etag, compressed };
  }
}
