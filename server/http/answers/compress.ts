import { promisify } from "node:util";
import {
  type BrotliCompress,
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  type Gzip,
  gzip,
} from "node:zlib";

/** Shorter answers are not compressed. Compression runs in libuv's thread pool. */
export const compressFromBytes = 8192;

export type Encoding = "br" | "gzip";

const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
/** For streams, which keep their window until the client has read the answer: 256 KB instead of 4 MB. */
const brotliStreamOptions = { params: { ...brotliOptions.params, [constants.BROTLI_PARAM_LGWIN]: 18 } };
const gzipOptions = { level: 1 };
const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Compresses a short answer in one piece. */
export function compress(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  return encoding === "br" ? brotliAsync(bytes, brotliOptions) : gzipAsync(bytes, gzipOptions);
}

/** Compresses what is sent often, such as a document, in one piece. */
export function compressOften(bytes: Uint8Array, encoding: Encoding): Promise<Buffer> {
  return encoding === "br" ? brotliAsync(bytes, smallOptions(bytes)) : gzipAsync(bytes);
}

/** Higher qualities take ten times as long for less than a tenth of the bytes. */
const smallOptions = ({ length }: Uint8Array) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: length },
});

/** A stream that compresses a long answer piece by piece. */
export function createCompressor(encoding: Encoding): BrotliCompress | Gzip {
  return encoding === "br" ? createBrotliCompress(brotliStreamOptions) : createGzip(gzipOptions);
}

/**
 * An encoding that the client accepts; `undefined` if it accepts neither brotli nor gzip. Encodings with `q=0` are
 * refused; other quality values are ignored.
 */
export function chooseEncoding(accepted = ""): Encoding | undefined {
  const names = accepted
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/, "").trim().toLowerCase());
  if (names.includes("br")) return "br";
  return names.includes("gzip") || names.includes("*") ? "gzip" : undefined;
}
