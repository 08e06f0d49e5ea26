import { sha256 as portableSha256 } from "@noble/hashes/sha2.js";
import { nodeCrypto } from "./node-crypto.js";

export const digestBytes = 32;

type WriteSha256 = (of: Uint8Array | string, target: Uint8Array, at: number) => void;

/** Writes a digest to `target`. */
export const writeSha256: WriteSha256 = nodeCrypto ? nativeWriter(nodeCrypto) : writePortableSha256;

/** Node returns the digest as a string, because a Buffer would cost three times as much. */
function nativeWriter({ hash }: NonNullable<typeof nodeCrypto>): WriteSha256 {
  return (of, target, at) => {
    const digest = hash("sha256", of, "binary");
    for (let i = 0; i < digestBytes; i++) target[at + i] = digest.charCodeAt(i);
  };
}

/** For browsers, whose own SHA-256 answers asynchronously only. */
export function writePortableSha256(of: Uint8Array | string, target: Uint8Array, at: number): void {
  target.set(portableSha256(typeof of === "string" ? new TextEncoder().encode(of) : of), at);
}

export function sha256(of: Uint8Array | string): Uint8Array {
  const digest = new Uint8Array(digestBytes);
  writeSha256(of, digest, 0);
  return digest;
}
