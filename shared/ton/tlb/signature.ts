// ed25519_pubkey#8e81278a pubkey:bits256 = SigPubKey;
// ed25519_signature#5 R:bits256 s:bits256 = CryptoSignatureSimple;
// _ CryptoSignatureSimple = CryptoSignature;
// chained_signature#f signed_cert:^SignedCertificate temp_key_signature:CryptoSignatureSimple = CryptoSignature;
// sig_pair$_ node_id_short:bits256 sign:CryptoSignature = CryptoSignaturePair;
import { type Dictionary, uintKey } from "../cells/dictionaries/dictionary.js";
import type { Decoded } from "./codec.js";
import { hashmapE } from "./dictionaries.js";
import { bits256, bytes, cellRef } from "./primitives.js";
import { choice, record } from "./record.js";

/** An ed25519 public key. */
export type SigPubKey = Decoded<typeof SigPubKey>;
export const SigPubKey = record("ed25519_pubkey#8e81278a", { pubkey: bits256 });

const simple = record("ed25519_signature#5", { signature: bytes(64) });

/** Nodes do not create chained signatures, so the certificate is not decoded. */
export type CryptoSignature = Decoded<typeof CryptoSignature>;
export const CryptoSignature = choice("CryptoSignature", {
  simple,
  chained: record("chained_signature#f", { signedCert: cellRef, tempKeySignature: simple }),
});

/** A signature and the short id of the validator: sha256(c6b41348, key). */
type CryptoSignaturePair = Decoded<typeof CryptoSignaturePair>;
const CryptoSignaturePair = record("sig_pair$_", { nodeIdShort: bits256, sign: CryptoSignature });

export type SignatureSet = Dictionary<number, CryptoSignaturePair>;
export const SignatureSet = hashmapE(uintKey(16), CryptoSignaturePair);
