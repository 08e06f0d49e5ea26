import { crc32c } from "../../cells/crc32c.js";
import type { SigningKey } from "../../chain/ed25519.js";
import { nodeIdShort } from "../../chain/verify/validators.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { BlockSignature } from "./block-pair.js";

/** A member of a validator group. Without an ADNL address 32 zero bytes are hashed. */
export type Validator = { publicKey: Uint8Array; weight: bigint; adnlAddress?: Uint8Array };

/** TL tag of `ton.blockId root_cell_hash:int256 file_hash:int256`, which validators sign. */
const blockIdTag = Uint8Array.of(0x70, 0x6e, 0x0b, 0xc5);
const validatorListMagic = -1877581587;

/** The bytes that a validator signs for a block. */
export function signedBytes({ rootHash, fileHash }: BlockIdExt): Uint8Array {
  return Buffer.concat([blockIdTag, rootHash, fileHash]);
}

/** Signs a block id with a validator's key. */
export function signBlock(key: SigningKey, id: BlockIdExt): BlockSignature {
  return { nodeIdShort: nodeIdShort(key.publicKey), signature: key.sign(signedBytes(id)) };
}

/** `validator_list_hash_short`: CRC-32C of the validator group and its catchain seqno. */
export function validatorListHash(catchainSeqno: number, validators: readonly Validator[]): number {
  const head = Buffer.alloc(12);
  head.writeInt32LE(validatorListMagic, 0);
  head.writeUInt32LE(catchainSeqno, 4);
  head.writeUInt32LE(validators.length, 8);
  const members = validators.map(({ publicKey, weight, adnlAddress = new Uint8Array(32) }) => {
    const weightBytes = Buffer.alloc(8);
    weightBytes.writeBigUInt64LE(weight);
    return Buffer.concat([publicKey, weightBytes, adnlAddress]);
  });
  return crc32c(Buffer.concat([head, ...members]));
}
