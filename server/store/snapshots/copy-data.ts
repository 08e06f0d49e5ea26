import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { joinBytes } from "../../../shared/values/bytes.js";

/** Signature, flags and length of the extension, which has no bytes. */
const headBytes = 19;
const tailBytes = 2;
/** Higher levels save 2 % of the bytes and take twice the time. */
const level = 6;

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Joins the answers of several COPYs of one table, as if one had copied the rows of all. */
export function joinCopies(copies: readonly Uint8Array[]): Uint8Array {
  return joinBytes(
    copies.map((copy, at) =>
      copy.subarray(
        at === 0 ? 0 : headBytes,
        at === copies.length - 1 ? copy.length : copy.length - tailBytes,
      ),
    ),
  );
}

export function packed(bytes: Uint8Array): Promise<Uint8Array> {
  return pack(bytes, { level });
}

/** Throws if the content is not gzip, or not of this length. */
export async function unpacked(bytes: Uint8Array, length: number): Promise<Uint8Array> {
  const content = await unpack(bytes, { maxOutputLength: Math.max(length, 1) });
  if (content.length !== length) throw new RangeError(`${content.length} bytes instead of ${length}`);
  return content;
}
