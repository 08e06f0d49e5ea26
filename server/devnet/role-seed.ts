import { createHash } from "node:crypto";

/** Derives 32 bytes for one purpose from a devnet's seed, e.g. a private key or the random seed of a block. */
export function roleSeed(seed: string, role: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`${seed}/${role}`).digest());
}
