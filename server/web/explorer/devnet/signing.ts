/** Signs with the key of a mnemonic. */
export type Signer = {
  readonly publicKey: Uint8Array;
  sign(data: Uint8Array): Promise<Uint8Array>;
};

const iterations = 100_000;
/** DER header of an Ed25519 private key, before its 32 bytes. */
const privateKeyHead = [0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];

/** The signer for a wallet's 24 words. Throws a TypeError in browsers without WebCrypto. */
export async function signerOf(words: string): Promise<Signer> {
  const { subtle } = crypto;
  if (!subtle)
    throw new TypeError(
      "Browsers sign only for pages of https or localhost. Send in the name of the wallet instead.",
    );
  const text = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-512" };
  const wordKey = await subtle.importKey("raw", text.encode(words), hmac, false, ["sign"]);
  const entropy = await subtle.sign("HMAC", wordKey, new Uint8Array());
  const entropyKey = await subtle.importKey("raw", entropy, "PBKDF2", false, ["deriveBits"]);
  const salt = text.encode("TON default seed");
  const seed = await subtle.deriveBits(
    { name: "PBKDF2", hash: "SHA-512", salt, iterations },
    entropyKey,
    256,
  );
  const der = Uint8Array.of(...privateKeyHead, ...new Uint8Array(seed));
  const key = await subtle.importKey("pkcs8", der, "Ed25519", true, ["sign"]);
  const { x } = await subtle.exportKey("jwk", key);
  return {
    publicKey: base64UrlBytes(x!),
    sign: async (data) => new Uint8Array(await subtle.sign("Ed25519", key, Uint8Array.from(data))),
  };
}

function base64UrlBytes(text: string): Uint8Array {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
