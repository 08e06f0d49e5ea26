import type { Cipher, Decipher } from "node:crypto";
import { sha256, writeSha256 } from "../../../shared/ton/cells/sha256.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { RandomBytes } from "./handshake.js";

const lengthBytes = 4;
const nonceBytes = 32;
const hashBytes = 32;
/** Bytes of a frame in addition to the payload and the length field. */
const overhead = nonceBytes + hashBytes;
/** Longest frame of the protocol, without the length field. */
export const maxFrame = 1 << 24;
/** Longest payload of a frame. */
export const maxPayload = maxFrame - overhead;

/** The peer violated the framing; the stream cannot be resynchronised. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** Encrypts `length:u32le nonce:32 payload sha256(nonce payload)`. An empty payload is a keep-alive. */
export function sealFrame(outgoing: Cipher, payload: Uint8Array, randomBytes: RandomBytes): Uint8Array {
  const frame = Buffer.allocUnsafe(lengthBytes + overhead + payload.length);
  frame.writeUInt32LE(overhead + payload.length);
  frame.set(randomBytes(nonceBytes), lengthBytes);
  frame.set(payload, lengthBytes + nonceBytes);
  const end = frame.length - hashBytes;
  writeSha256(frame.subarray(lengthBytes, end), frame, end);
  return outgoing.update(frame);
}

/** Splits the encrypted stream into payloads. Buffers at most one incomplete frame. */
export class FrameReader {
  readonly #incoming: Decipher;
  readonly #maxFrame: number;
  /** Decrypted bytes of the incomplete frame, followed by spare capacity. */
  #buffer: Uint8Array = new Uint8Array(0);
  #filled = 0;

  constructor(incoming: Decipher, limit = maxFrame) {
    this.#incoming = incoming;
    this.#maxFrame = limit;
  }

  /** The payloads completed by these bytes. Throws a FrameError. */
  push(encrypted: Uint8Array): Uint8Array[] {
    const bytes = this.#append(this.#incoming.update(encrypted));
    const payloads: Uint8Array[] = [];
    let at = 0;
    for (;;) {
      const length = this.#lengthAt(bytes, at);
      const end = at + lengthBytes + (length ?? 0);
      if (length === undefined || end > bytes.length) break;
      payloads.push(openFrame(bytes.subarray(at + lengthBytes, end)));
      at = end;
    }
    // Payloads are views of the buffer, so the rest is copied if there are any.
    if (at > 0) this.#keep(bytes.slice(at));
    else if (bytes.buffer !== this.#buffer.buffer) this.#keep(bytes);
    return payloads;
  }

  /** The buffered bytes followed by the new ones. */
  #append(bytes: Uint8Array): Uint8Array {
    if (this.#filled === 0) return bytes;
    const filled = this.#filled + bytes.length;
    if (filled > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(filled, 2 * this.#buffer.length));
      larger.set(this.#buffer.subarray(0, this.#filled));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, this.#filled);
    this.#filled = filled;
    return this.#buffer.subarray(0, filled);
  }

  #keep(bytes: Uint8Array): void {
    this.#buffer = bytes;
    this.#filled = bytes.length;
  }

  #lengthAt(bytes: Uint8Array, at: number): number | undefined {
    if (bytes.length - at < lengthBytes) return undefined;
    const length = new DataView(bytes.buffer, bytes.byteOffset + at).getUint32(0, true);
    if (length < overhead || length > this.#maxFrame)
      throw new FrameError(`a frame of ${length} bytes is not allowed`);
    return length;
  }
}

function openFrame(frame: Uint8Array): Uint8Array {
  const end = frame.length - hashBytes;
  if (!bytesEqual(sha256(frame.subarray(0, end)), frame.subarray(end)))
    throw new FrameError("the hash of a frame is wrong");
  // Not a Buffer: a structured clone would change its type.
  return new Uint8Array(frame.buffer, frame.byteOffset + nonceBytes, end - nonceBytes);
}
