import { parseBocRoot } from "../../cells/boc/boc.js";
import { updateHashes } from "../../cells/merkle/merkle-update.js";
import { sha256 } from "../../cells/sha256.js";
import type { BlockData, BlockState, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { verifyHeader } from "./headers.js";
import { checkHash, checkSameBlock } from "./proof-error.js";
import type { Proving } from "./proven-chain.js";

/** Verifies a block by its file hash; trust in an id covers both of its hashes. */
export function verifyBlockData({ id }: { id: BlockIdExt }, answer: BlockData): void {
  checkSameBlock(answer.id, id);
  checkHash(sha256(answer.data), id.fileHash, "wrong file hash of the block");
}

/** Verifies a complete state. `stateHash`: root hash of the zero state's id, or the hash in the header of the block. */
export function verifyState(id: BlockIdExt, stateHash: Uint8Array, answer: BlockState): void {
  checkSameBlock(answer.id, id);
  checkHash(answer.rootHash, stateHash, "wrong state hash");
  checkHash(parseBocRoot(answer.data).hash(), stateHash, "wrong state");
  checkHash(answer.fileHash, sha256(answer.data), "wrong file hash of the state");
}

export async function getBlock(
  { lite }: Proving,
  request: { id: BlockIdExt },
  call: LiteCall,
): Promise<BlockData> {
  const answer = await lite.getBlock(request, call);
  verifyBlockData(request, answer);
  return answer;
}

export async function getState(
  { lite }: Proving,
  { id }: { id: BlockIdExt },
  call: LiteCall,
): Promise<BlockState> {
  const answer = await lite.getState({ id }, call);
  if (id.seqno === 0) {
    verifyState(id, id.rootHash, answer);
    checkHash(answer.fileHash, id.fileHash, "wrong file hash of the zero state");
    return answer;
  }
  const question = { id, stateUpdate: true };
  const { block } = verifyHeader(question, await lite.getBlockHeader(question, call));
  verifyState(id, updateHashes(block.stateUpdate).to, answer);
  return answer;
}
