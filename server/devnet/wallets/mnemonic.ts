import { createHash, createHmac, pbkdf2 } from "node:crypto";
import { promisify } from "node:util";
import { SigningKey } from "../../chain/ed25519.js";
import { bip39Words } from "./bip39-words.js";

// TON's way with words, which is not BIP 39's: no checksum in the last word, but a key derivation that has to begin
// with a zero byte (tonlib/tonlib/keys/Mnemonic.cpp). Words without a password only.

const derive = promisify(pbkdf2);
const wordCount = 24;
const iterations = 100_000;

function entropyOf(words: readonly string[]): Buffer {
  return createHmac("sha512", words.join(" ")).update("").digest();
}

/** Whether wallets take these words for a mnemonic. One in 256 is. */
export async function isMnemonic(words: readonly string[]): Promise<boolean> {
  const check = await derive(
    entropyOf(words),
    "TON seed version",
    Math.floor(iterations / 256),
    64,
    "sha512",
  );
  return check[0] === 0;
}

/** The 32 secret bytes of the key a wallet makes from these words. */
export async function mnemonicSecret(words: readonly string[]): Promise<Uint8Array> {
  const seed = await derive(entropyOf(words), "TON default seed", iterations, 64, "sha512");
  return new Uint8Array(seed.subarray(0, 32));
}

export async function mnemonicKey(words: readonly string[]): Promise<SigningKey> {
  return new SigningKey(await mnemonicSecret(words));
}

/** The first mnemonic of a series that the text determines: who knows the text knows the words. */
export async function mnemonicFrom(text: string): Promise<string[]> {
  for (let number = 0; ; number++) {
    const words = wordsOf(createHash("sha512").update(`${text}/${number}`).digest());
    if (await isMnemonic(words)) return words;
  }
}

/** Eleven bits choose a word. */
function wordsOf(random: Uint8Array): string[] {
  const bits = Array.from(random, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return Array.from({ length: wordCount }, (_, index) => {
    const word = Number.parseInt(bits.slice(11 * index, 11 * index + 11), 2);
    return bip39Words[word]!;
  });
}
