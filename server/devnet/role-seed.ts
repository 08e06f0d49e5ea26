import { sha256 } from "../cells/sha256.js";

/** Derives 32 bytes for one purpose from a devnet's seed, e.g. a private key or the random seed of a block. */
export function roleSeed(seed: string, role: string): Uint8Array {
  return sha256(`${seed}/${role}`);
}
