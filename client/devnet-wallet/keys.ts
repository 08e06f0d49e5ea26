import {
  deriveEd25519Path,
  type KeyPair,
  keyPairFromSeed,
  mnemonicToPrivateKey,
  pbkdf2_sha512,
} from "@ton/crypto";
import type { WalletVersion } from "./orders.js";

/** m/44'/607'/0' */
const path = [44, 607, 0];

/** The keys of a wallet's words. Telegram's wallet has words of BIP 39, and its key is derived as SLIP-10 says. */
export async function keysOf(version: WalletVersion, words: string[]): Promise<KeyPair> {
  if (version !== "tg") return mnemonicToPrivateKey(words);
  const seed = await pbkdf2_sha512(words.join(" "), "mnemonic", 2048, 64);
  return keyPairFromSeed(await deriveEd25519Path(seed, path));
}
