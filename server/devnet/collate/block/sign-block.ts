import { nodeIdShort } from "../../../../shared/ton/proofs/verify/trust/validators.js";
import { proofs } from "../../../../shared/ton/tl/codecs.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import type { SigningKey } from "../../../chain/ed25519.js";
import type { BlockSignature } from "./block-pair.js";

/** The bytes that a validator signs for a block. */
export function signedBytes({ rootHash, fileHash }: BlockIdExt): Uint8Array {
  return proofs.encode("ton.blockId", { rootCellHash: rootHash, fileHash });
}

/** Signs a block id with a validator's key. */
export function signBlock(key: SigningKey, id: BlockIdExt): BlockSignature {
  return { nodeIdShort: nodeIdShort(key.publicKey), signature: key.sign(signedBytes(id)) };
}
