import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Shorter answers are not compressed. Compression runs in libuv's thread pool. */
export const compressFromBytes = 8192;

const brotli = promisify(brotliCompress);
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipAsync = promisify(gzip);

export type Compressed = { readonly encoding: "br" | "gzip"; readonly bytes: Buffer };

/** Compresses the text with an encoding that the client accepts; `undefined` if it accepts neither brotli nor gzip. */
export async function compress(
  text: string,
  acceptEncoding: string | undefined,
): Promise<Compressed | undefined> {
  const encoding = choose(acceptEncoding ?? "");
  if (encoding === "br") return { encoding, bytes: await brotli(text, brotliOptions) };
  if (encoding === "gzip") return { encoding, bytes: await gzipAsync(text, { level: 1 }) };
  return undefined;
}

/** Encodings with `q=0` are refused; other quality values are ignored. */
function choose(accepted: string): "br" | "gzip" | undefined {
  const names = accepted
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/, "").trim().toLowerCase());
  if (names.includes("br")) return "br";
  return names.includes("gzip") || names.includes("*") ? "gzip" : undefined;
}
