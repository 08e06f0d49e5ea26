import { parseBocRoot } from "../../cells/boc/boc.js";
import { openMerkleProof } from "../../cells/merkle/proof.js";
import type { LiteCall, MethodCall, RunMethodResult } from "../../lite/lite-api.js";
import { type AccountProof, type ProvenEntry, usefulProofs, verifyEntry } from "./accounts.js";
import { check, checkHash } from "./proof-error.js";
import type { Proving } from "./proven-chain.js";
import type { ProvenShards } from "./proven-shards.js";
import { referenceBlock } from "./reference-block.js";

/** Exit code of servers if the account has no code to run. */
const nothingToRun = -0x100;

/**
 * Verifies the account that a get-method ran on. The result is not provable: exit code, stack and c7 are unverified unless
 * the account does not exist. To be sure, read the account and run the method locally.
 */
export function verifyRun(request: MethodCall, answer: RunMethodResult, known?: ProvenShards): ProvenEntry {
  const { id, shardblk, shardProof, proof } = answer;
  check(shardProof !== undefined && proof !== undefined, "the proof is missing");
  const proven = verifyEntry(request, { id, shardblk, shardProof, proof }, known);
  const { entry } = proven;
  if (!entry) {
    const ranNothing =
      answer.exitCode === nothingToRun && !answer.result?.length && !answer.stateProof?.length;
    check(ranNothing, "the answer has a result of an absent account");
  } else if (request.stateProof && answer.exitCode !== nothingToRun) {
    check(answer.stateProof !== undefined, "the proof of the state is missing");
    const shown = openMerkleProof(parseBocRoot(answer.stateProof));
    checkHash(shown.hash(), entry.account.cell.hash(), "the method ran on a wrong state");
  }
  return proven;
}

export async function runSmcMethod(
  proving: Proving,
  request: MethodCall,
  call: LiteCall,
): Promise<RunMethodResult> {
  const query = { ...request, id: await referenceBlock(proving, request.id, call), proof: true };
  const answer = await proving.lite.runSmcMethod(query, call);
  const proven = verifyRun(query, answer, proving.shards);
  const { shardProof, proof, ...rest } = answer as Required<AccountProof> & RunMethodResult;
  const { shardblk, ...proofs } = usefulProofs(query, proven, { ...rest, shardProof, proof });
  return { ...rest, shardblk, ...(request.proof && proofs) };
}
