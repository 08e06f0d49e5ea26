import type { WalletVersion } from "./wallet-codes.js";

/** Signs with the key of a mnemonic. */
export type Signer = {
  readonly publicKey: Uint8Array;
  sign(data: Uint8Array): Promise<Uint8Array>;
};

/** DER header of an Ed25519 private key, before its 32 bytes. */
const privateKeyHead = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/** The signer for the words of a wallet of this version. Throws a TypeError in browsers without WebCrypto. */
export async function signerOf(version: WalletVersion, words: string): Promise<Signer> {
  const { subtle } = crypto;
  if (!subtle)
    throw new TypeError(
      "Browsers sign only for pages of https or localhost. Send in the name of the wallet instead.",
    );
  const secret = await (version === "tg" ? bip39Secret(words) : mnemonicSecret(words));
  const der = Uint8Array.of(...privateKeyHead, ...secret);
  const key = await subtle.importKey("pkcs8", der, "Ed25519", true, ["sign"]);
  const { x } = await subtle.exportKey("jwk", key);
  return {
    publicKey: base64UrlBytes(x!),
    sign: async (data) => new Uint8Array(await subtle.sign("Ed25519", key, Uint8Array.from(data))),
  };
}

async function mnemonicSecret(words: string): Promise<Uint8Array> {
  const entropy = await hmac(bytesOf(words), new Uint8Array());
  return pbkdf2(entropy, { salt: "TON default seed", iterations: 100_000, bits: 256 });
}

/** Words of BIP 39, whose key SLIP-10 derives: m/44'/607'/0'. */
async function bip39Secret(words: string): Promise<Uint8Array> {
  const seed = await pbkdf2(bytesOf(words), { salt: "mnemonic", iterations: 2048, bits: 512 });
  let node = await hmac(bytesOf("ed25519 seed"), seed);
  // Hardened indexes have the highest of 32 bits.
  for (const index of [44, 607, 0]) {
    const [key, chain] = [node.subarray(0, 32), node.slice(32)];
    node = await hmac(chain, Uint8Array.of(0, ...key, 0x80, 0, index >> 8, index & 255));
  }
  return node.subarray(0, 32);
}

type Derivation = { readonly salt: string; readonly iterations: number; readonly bits: number };

async function pbkdf2(secret: Bytes, { salt, iterations, bits }: Derivation): Promise<Bytes> {
  const key = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-512", salt: bytesOf(salt), iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, bits));
}

async function hmac(secret: Bytes, data: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text);

function base64UrlBytes(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
