import { createHash, createHmac, pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { wordsOf } from "./bip39-words.js";

// TON mnemonics differ from BIP 39: instead of a checksum in the last word, a derived hash must start with a zero byte
// (tonlib/tonlib/keys/Mnemonic.cpp). Mnemonics with a password are not supported.

const derive = promisify(pbkdf2);
const wordCount = 24;
const iterations = 100_000;

function entropyOf(words: readonly string[]): Buffer {
  return createHmac("sha512", words.join(" ")).update("").digest();
}

/** Whether the words are a valid mnemonic. One in 256 combinations is. */
async function isMnemonic(words: readonly string[]): Promise<boolean> {
  const check = await derive(
    entropyOf(words),
    "TON seed version",
    Math.floor(iterations / 256),
    64,
    "sha512",
  );
  return check[0] === 0;
}

/** The 32-byte private key that wallets derive from these words. */
export async function mnemonicSecret(words: readonly string[]): Promise<Uint8Array> {
  const seed = await derive(entropyOf(words), "TON default seed", iterations, 64, "sha512");
  return new Uint8Array(seed.subarray(0, 32));
}

/** Derives a valid mnemonic from a text. Deterministic, so the mnemonic is only as secret as the text. */
export async function mnemonicFrom(text: string): Promise<string[]> {
  for (let number = 0; ; number++) {
    const words = wordsOf(createHash("sha512").update(`${text}/${number}`).digest(), wordCount);
    if (await isMnemonic(words)) return words;
  }
}
