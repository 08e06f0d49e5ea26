import { sha512 } from "@noble/hashes/sha2.js";
import { bytesToBase64Url } from "../../../values/bytes.js";
import { nodeCrypto } from "../../cells/node-crypto.js";

/** The calls of WebCrypto that verify; pages without https have none. */
type Subtle = Pick<typeof globalThis.crypto.subtle, "importKey" | "verify">;

/** Verifies signatures of one key. */
type Verify = (message: Uint8Array, signature: Uint8Array) => Promise<boolean>;

/** An Ed25519 public key for verifying many signatures. */
export class VerifyingKey {
  readonly #publicKey: Uint8Array;
  #verify: Promise<Verify> | Verify | undefined;

  constructor(publicKey: Uint8Array) {
    this.#publicKey = publicKey;
  }

  async hasSigned(message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    this.#verify ??= verifierOf(this.#publicKey);
    return (await this.#verify)(message, signature);
  }
}

function verifierOf(publicKey: Uint8Array): Promise<Verify> | Verify {
  return nodeCrypto ? inThreadPool(nodeCrypto, publicKey) : inBrowser(publicKey);
}

/** In Node's thread pool. Imported as a JSON web key, which Node parses eight times faster than DER. */
function inThreadPool(
  { createPublicKey, verify: verifyInPool }: NonNullable<typeof nodeCrypto>,
  publicKey: Uint8Array,
): Verify {
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: bytesToBase64Url(publicKey) },
    format: "jwk",
  });
  return (message, signature) =>
    new Promise((resolve, reject) =>
      verifyInPool(null, message, key, signature, (error, isValid) =>
        error ? reject(error) : resolve(isValid),
      ),
    );
}

/** By the browser itself; in JavaScript, which is loaded then, where it lacks Ed25519, as older ones and pages without https do. */
export async function inBrowser(
  publicKey: Uint8Array,
  subtle: Subtle | undefined = globalThis.crypto?.subtle,
): Promise<Verify> {
  if (!subtle) return inJavaScript(publicKey);
  try {
    const key = await subtle.importKey("raw", new Uint8Array(publicKey), "Ed25519", false, ["verify"]);
    return (message, signature) =>
      subtle.verify("Ed25519", key, new Uint8Array(signature), new Uint8Array(message));
  } catch {
    // Also for keys that are not points of the curve, which have signed nothing.
    return inJavaScript(publicKey);
  }
}

async function inJavaScript(publicKey: Uint8Array): Promise<Verify> {
  const { hashes, verify } = await import("@noble/ed25519");
  hashes.sha512 = sha512;
  return async (message, signature) => {
    try {
      return verify(signature, message, publicKey, { zip215: false });
    } catch {
      // A signature or key of another length, or no point of the curve.
      return false;
    }
  };
}
