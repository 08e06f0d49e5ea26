import { hash } from "node:crypto";

export const digestBytes = 32;

/** Writes a digest to `target`. The digest is returned as a string, because a Buffer would cost three times as much. */
export function writeSha256(of: Uint8Array | string, target: Uint8Array, at: number): void {
  const digest = hash("sha256", of, "binary");
  for (let i = 0; i < digestBytes; i++) target[at + i] = digest.charCodeAt(i);
}

export function sha256(of: Uint8Array | string): Uint8Array {
  const digest = new Uint8Array(digestBytes);
  writeSha256(of, digest, 0);
  return digest;
}
