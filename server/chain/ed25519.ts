import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** DER around a raw key: PKCS #8 for the 32-byte seed, SubjectPublicKeyInfo for the public key. */
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** An ed25519 key whose secret is known. */
export class SigningKey {
  readonly publicKey: Uint8Array;
  readonly #key: KeyObject;

  /** From the 32-byte seed (RFC 8032's private key). */
  constructor(seed: Uint8Array) {
    this.#key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
    const spki = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.publicKey = new Uint8Array(spki.subarray(publicPrefix.length));
  }

  sign(message: Uint8Array): Uint8Array {
    return new Uint8Array(sign(null, message, this.#key));
  }
}

/** Whether the signature of the message was made with this public key. */
export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const der = Buffer.concat([publicPrefix, publicKey]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}
