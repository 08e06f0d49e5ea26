import { createHash } from "node:crypto";

/** The 32 bytes a devnet's seed gives one purpose: keys of its roles, random seeds of its blocks. */
export function roleSeed(seed: string, role: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(`${seed}/${role}`).digest());
}
