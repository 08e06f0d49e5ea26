import { bytesToHex } from "../../../../values/bytes.js";
import { sha256 } from "../../../cells/sha256.js";
import type { Signature, SignatureSet } from "../../../lite/lite-api.js";
import { proofs } from "../../../tl/codecs.js";
import { type BlockIdExt, formatBlockId } from "../../../tlb/block-id.js";
import type { BlockInfo } from "../../../tlb/block-info.js";
import { check, checkSameBlock, ProofError } from "../proof-error.js";
import type { MasterchainValidators, ValidatorGroup } from "./validators.js";

/** Verifies that validators with more than two thirds of the weight signed a masterchain block. */
export async function verifySignatures(
  id: BlockIdExt,
  info: BlockInfo,
  set: SignatureSet,
  validators: MasterchainValidators,
): Promise<void> {
  const { genCatchainSeqno, genValidatorListHashShort } = info;
  const catchainSeqno = set.type === "ordinary" ? set.catchainSeqno : set.ccSeqno;
  check(catchainSeqno === genCatchainSeqno, `the signatures are of session ${catchainSeqno}`);
  const group = validators.group(genCatchainSeqno);
  check(
    group.hash === genValidatorListHashShort && group.hash === set.validatorSetHash,
    `${formatBlockId(id)} is of other validators`,
  );
  await checkAll(group, signedBytes(id, set), set.signatures);
}

async function checkAll(
  group: ValidatorGroup,
  message: Uint8Array,
  signatures: readonly Signature[],
): Promise<void> {
  const signers = new Map(signatures.map((each) => [bytesToHex(each.nodeIdShort), each.signature]));
  check(signers.size === signatures.length, "duplicate signature");
  let weight = 0n;
  const verdicts = Array.from(signers, ([id, signature]) => {
    const member = group.members.get(id);
    check(member !== undefined, `${id} signed, but is not of the validator group`);
    weight += member.weight;
    return member.key.hasSigned(message, signature);
  });
  check(3n * weight > 2n * group.totalWeight, `only ${weight} of ${group.totalWeight} signed`);
  check((await Promise.all(verdicts)).every(Boolean), "a signature is wrong");
}

/**
 *     ton.blockId root_cell_hash:int256 file_hash:int256
 *
 * or, in the simplex consensus, a finalize vote for the candidate of the block:
 *
 *     consensus.dataToSign session_id:int256 data:bytes
 */
function signedBytes({ rootHash, fileHash, ...id }: BlockIdExt, set: SignatureSet): Uint8Array {
  if (set.type === "ordinary") return proofs.encode("ton.blockId", { rootCellHash: rootHash, fileHash });
  checkSameBlock(candidateBlock(set.candidate), { ...id, rootHash, fileHash });
  const candidate = { slot: set.slot, hash: sha256(set.candidate) };
  const data = proofs.encode("consensus.simplex.finalizeVote", { id: candidate });
  return proofs.encode("consensus.dataToSign", { sessionId: set.sessionId, data });
}

/** The block of a candidate; an empty candidate represents its parent block. */
function candidateBlock(candidate: Uint8Array): BlockIdExt {
  const { name, value } = proofs.decode(candidate);
  if (name !== "consensus.candidateHashDataOrdinary" && name !== "consensus.candidateHashDataEmpty")
    throw new ProofError(`a ${name} was voted for`);
  return value["block"] as BlockIdExt;
}
