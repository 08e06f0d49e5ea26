import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** From here on fewer bytes are worth the work, which is done off the main thread. */
export const compressFromBytes = 8192;

const brotli = promisify(brotliCompress);
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const gzipAsync = promisify(gzip);

export type Compressed = { readonly encoding: "br" | "gzip"; readonly bytes: Buffer };

/** The text in an encoding the client takes; `undefined` when it takes none of ours. */
export async function compress(
  text: string,
  acceptEncoding: string | undefined,
): Promise<Compressed | undefined> {
  const encoding = choose(acceptEncoding ?? "");
  if (encoding === "br") return { encoding, bytes: await brotli(text, brotliOptions) };
  if (encoding === "gzip") return { encoding, bytes: await gzipAsync(text, { level: 1 }) };
  return undefined;
}

/** An encoding with `q=0` is refused; between the others the client's order does not matter to us. */
function choose(accepted: string): "br" | "gzip" | undefined {
  const names = accepted
    .split(",")
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/.test(part))
    .map((part) => part.replace(/;.*/, "").trim().toLowerCase());
  if (names.includes("br")) return "br";
  return names.includes("gzip") || names.includes("*") ? "gzip" : undefined;
}
