import { sha256 } from "../../shared/ton/cells/sha256.js";

/** Derives 32 bytes for one purpose from a devnet's seed, e.g. a private key or a block's random seed. */
export function roleSeed(seed: string, role: string): Uint8Array {
  return sha256(`${seed}/${role}`);
}
