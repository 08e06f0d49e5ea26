import { createHash, createPrivateKey, createPublicKey, diffieHellman } from "node:crypto";
import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { wire } from "../../../shared/ton/tl/codecs.js";

/** DER around raw X25519 keys: PKCS #8 for the private key, SubjectPublicKeyInfo for the public one. */
const privatePrefix = Buffer.from("302e020100300506032b656e04220420", "hex");
const publicPrefix = Buffer.from("302a300506032b656e032100", "hex");

const prime = 2n ** 255n - 19n;

/** ADNL address of a key: sha256 of the TL object `pub.ed25519 key:int256 = PublicKey`. */
export function shortId(publicKey: Uint8Array): Uint8Array {
  return sha256(wire.encode("pub.ed25519", { key: publicKey }));
}

/** X25519 shared secret of two ed25519 keys, converted to Montgomery form. Throws for public keys of small order. */
export function sharedSecret(seed: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const own = Buffer.concat([privatePrefix, montgomeryPrivate(seed)]);
  const other = Buffer.concat([publicPrefix, montgomeryPublic(publicKey)]);
  const privateKey = createPrivateKey({ key: own, format: "der", type: "pkcs8" });
  return diffieHellman({
    privateKey,
    publicKey: createPublicKey({ key: other, format: "der", type: "spki" }),
  });
}

/** The scalar that RFC 8032 derives from the seed; X25519 clamps it in the same way. */
function montgomeryPrivate(seed: Uint8Array): Uint8Array {
  return createHash("sha512").update(seed).digest().subarray(0, 32);
}

/** Converts an Edwards point by its `y`: `u = (1 + y) / (1 - y)`. */
function montgomeryPublic(publicKey: Uint8Array): Uint8Array {
  const y = BigInt.asUintN(255, BigInt(`0x${Buffer.from(publicKey.toReversed()).toString("hex")}`));
  const u = ((1n + y) * inverse(1n - y)) % prime;
  return Buffer.from(u.toString(16).padStart(64, "0"), "hex").reverse();
}

/** By Fermat's little theorem: `x ** (prime - 2)`. Zero gives zero, which X25519 rejects as a point of small order. */
function inverse(x: bigint): bigint {
  let result = 1n;
  let base = ((x % prime) + prime) % prime;
  for (let exponent = prime - 2n; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % prime;
    base = (base * base) % prime;
  }
  return result;
}
