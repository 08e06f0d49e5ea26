import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { base64ToBytes, bytesToBase64 } from "../../../shared/values/bytes.js";

/** Reads the server's 32-byte key from a file; creates the file, readable by the owner only, if there is none. */
export function keyFromFile(path: string): Uint8Array {
  try {
    const seed = randomBytes(32);
    writeFileSync(path, `${bytesToBase64(seed)}\n`, { flag: "wx", mode: 0o600 });
    return new Uint8Array(seed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const seed = base64ToBytes(readFileSync(path, "utf8"));
  if (seed?.length !== 32) throw new Error(`${path} must hold the 32 bytes of a key in base64`);
  return seed;
}
