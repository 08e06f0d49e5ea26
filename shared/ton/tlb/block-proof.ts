// block_signatures_ordinary#11 validator_list_hash_short:uint32 catchain_seqno:uint32
//   sig_count:uint32 sig_weight:uint64
//   signatures:(HashmapE 16 CryptoSignaturePair) = BlockSignatures;
// block_signatures_simplex#12 validator_list_hash_short:uint32 catchain_seqno:uint32
//   sig_count:uint32 sig_weight:uint64
//   signatures:(HashmapE 16 CryptoSignaturePair)
//   session_id:bits256 slot:uint32 candidate_data:^Cell = BlockSignatures;
// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
import { BlockIdExt } from "./block-ref.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { bits256, cellRef, maybe, uint32, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";
import { SignatureSet } from "./signature.js";

const common = {
  validatorListHashShort: uint32,
  catchainSeqno: uint32,
  sigCount: uint32,
  sigWeight: uint64,
  signatures: SignatureSet,
};

export type BlockSignatures = Decoded<typeof BlockSignatures>;
export const BlockSignatures = choice("BlockSignatures", {
  ordinary: record("block_signatures_ordinary#11", common),
  simplex: record("block_signatures_simplex#12", {
    ...common,
    sessionId: bits256,
    slot: uint32,
    candidateData: cellRef,
  }),
});

/** A header proof as nodes store it. `root` is a Merkle proof of the block; only masterchain blocks have signatures. */
export type BlockProof = Decoded<typeof BlockProof>;
export const BlockProof = record("block_proof#c3", {
  proofFor: BlockIdExt,
  root: cellRef,
  signatures: maybe(cellOf(BlockSignatures)),
});
