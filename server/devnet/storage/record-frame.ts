import { crc32c } from "../../../shared/ton/cells/boc/crc32c.js";
import type { LogRecord } from "./record-log.js";

/** Header before each payload: length u32, CRC-32C u32 of kind and payload, kind u8. Little-endian. */
export const headerLength = 9;
/** Maximum length of a payload. A larger length in a header indicates damage. */
export const maxPayload = 256 * 1024 * 1024;

export type FrameHeader = { length: number; checksum: number; kind: number };

/** Reads a frame header; `bytes` must have `headerLength` bytes. */
export function readHeader(bytes: Uint8Array): FrameHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, headerLength);
  return { length: view.getUint32(0, true), checksum: view.getUint32(4, true), kind: view.getUint8(8) };
}

/** Reads a whole frame. The payload is a view of `bytes`. Returns `undefined` if the checksum is wrong. */
export function readFrame(bytes: Uint8Array): LogRecord | undefined {
  const { length, checksum, kind } = readHeader(bytes);
  const covered = bytes.subarray(headerLength - 1, headerLength + length);
  if (covered.length !== length + 1 || crc32c(covered) !== checksum) return undefined;
  return { kind, payload: covered.subarray(1) };
}

/** Frames a record. Throws `RangeError` if the payload is too long. */
export function writeFrame({ kind, payload }: LogRecord): Uint8Array {
  if (payload.length > maxPayload) throw new RangeError(`a record of ${payload.length} bytes is too long`);
  const bytes = new Uint8Array(headerLength + payload.length);
  const view = new DataView(bytes.buffer);
  bytes[headerLength - 1] = kind;
  bytes.set(payload, headerLength);
  view.setUint32(0, payload.length, true);
  view.setUint32(4, crc32c(bytes.subarray(headerLength - 1)), true);
  return bytes;
}
