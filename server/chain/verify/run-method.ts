import { parseBocRoot } from "../../cells/boc.js";
import { openMerkleProof } from "../../cells/proof.js";
import type { LiteCall, MethodCall, RunMethodResult } from "../lite-api.js";
import { type AccountProof, type ProvenEntry, usefulProofs, verifyEntry } from "./accounts.js";
import { check, checkHash } from "./failed-proof.js";
import type { ProvenShards } from "./proven-shards.js";
import type { Proving } from "./proving.js";
import { referenceBlock } from "./reference-block.js";

/** Where there is nothing to run. */
const nothingToRun = -0x100;

/**
 * What a get-method was run on. What came of the run no proof can show: exit code, stack and c7 are the server's word
 * alone, but for an account that does not exist. Who needs to be sure reads the account and runs the method himself.
 */
export function verifyRun(request: MethodCall, answer: RunMethodResult, known?: ProvenShards): ProvenEntry {
  const { id, shardblk, shardProof, proof } = answer;
  check(shardProof !== undefined && proof !== undefined, "the proof is missing");
  const proven = verifyEntry(request, { id, shardblk, shardProof, proof }, known);
  const { entry } = proven;
  if (!entry) {
    const ranNothing =
      answer.exitCode === nothingToRun && !answer.result?.length && !answer.stateProof?.length;
    check(ranNothing, "a method of an absent account was run");
  } else if (request.stateProof && answer.exitCode !== nothingToRun) {
    check(answer.stateProof !== undefined, "the proof of the state is missing");
    const shown = openMerkleProof(parseBocRoot(answer.stateProof));
    checkHash(shown.hash(), entry.account.cell.hash(), "the method ran on another state");
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
