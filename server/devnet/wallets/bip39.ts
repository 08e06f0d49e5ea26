import { createHash, createHmac, pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { wordsOf } from "./bip39-words.js";

// Telegram's wallet has mnemonics of BIP 39, whose last word ends with a checksum, and keys of SLIP-10.

const derive = promisify(pbkdf2);
const entropyBytes = 16;
const wordCount = 12;
const iterations = 2048;
/** m/44'/607'/0': 607 is TON's number in SLIP-44. */
const path = [44, 607, 0];
const hardened = 0x8000_0000;

/** Derives a mnemonic from a text, and is only as secret as the text. */
export function bip39From(text: string): string[] {
  const entropy = createHash("sha512").update(text).digest().subarray(0, entropyBytes);
  return wordsOf(Buffer.concat([entropy, createHash("sha256").update(entropy).digest()]), wordCount);
}

/** The 32-byte private key that the wallet derives from these words. */
export async function bip39Secret(words: readonly string[]): Promise<Uint8Array> {
  const seed = await derive(words.join(" "), "mnemonic", iterations, 64, "sha512");
  const master = halvesOf(createHmac("sha512", "ed25519 seed").update(seed).digest());
  return path.reduce(childOf, master).key;
}

type ExtendedKey = { readonly key: Uint8Array; readonly chain: Uint8Array };

function childOf({ key, chain }: ExtendedKey, index: number): ExtendedKey {
  const data = Buffer.alloc(37);
  data.set(key, 1);
  data.writeUInt32BE(hardened + index, 33);
  return halvesOf(createHmac("sha512", chain).update(data).digest());
}

function halvesOf(bytes: Uint8Array): ExtendedKey {
  return { key: new Uint8Array(bytes.subarray(0, 32)), chain: bytes.subarray(32) };
}
