import type { Cipher, Decipher } from "node:crypto";
import { bytesEqual } from "../../../shared/values/bytes.js";
import type { RandomBytes } from "./handshake.js";
import { sha256 } from "./identity.js";

const lengthBytes = 4;
const nonceBytes = 32;
const hashBytes = 32;
/** What a frame has around its payload, not counting the length itself. */
const overhead = nonceBytes + hashBytes;
/** Longest frame the network knows. */
export const maxFrame = 1 << 24;
/** Longest payload that fits one. */
export const maxPayload = maxFrame - overhead;

/** The other side does not keep to the protocol; there is no way on from here. */
export class FrameError extends Error {
  override readonly name = "FrameError";
}

/** `length:u32le nonce:32 payload sha256(nonce payload)`, encrypted. An empty payload means nothing but "I am there". */
export function sealFrame(outgoing: Cipher, payload: Uint8Array, randomBytes: RandomBytes): Uint8Array {
  const frame = Buffer.allocUnsafe(lengthBytes + overhead + payload.length);
  frame.writeUInt32LE(overhead + payload.length);
  frame.set(randomBytes(nonceBytes), lengthBytes);
  frame.set(payload, lengthBytes + nonceBytes);
  const hashed = frame.subarray(lengthBytes, frame.length - hashBytes);
  frame.set(sha256(hashed), frame.length - hashBytes);
  return outgoing.update(frame);
}

/** Takes the stream apart into payloads. Keeps no more than one frame that is not complete yet. */
export class FrameReader {
  readonly #incoming: Decipher;
  readonly #maxFrame: number;
  /** Decrypted bytes of a frame to come, in front of some room for more. */
  #buffer: Uint8Array = new Uint8Array(0);
  #filled = 0;

  constructor(incoming: Decipher, limit = maxFrame) {
    this.#incoming = incoming;
    this.#maxFrame = limit;
  }

  /** The payloads that are complete with these bytes; throws a FrameError. */
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
    // Payloads are views of what was read, so what is kept moves to a place of its own once there are any.
    if (at > 0) this.#keep(bytes.slice(at));
    else if (bytes.buffer !== this.#buffer.buffer) this.#keep(bytes);
    return payloads;
  }

  /** What is kept with new bytes behind it. */
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
  // Not a Buffer: what is made of it must survive a structured clone unchanged.
  return new Uint8Array(frame.buffer, frame.byteOffset + nonceBytes, end - nonceBytes);
}
