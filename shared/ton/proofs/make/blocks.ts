import { serializeBoc } from "../../cells/boc/boc.js";
import { sha256 } from "../../cells/sha256.js";
import type { BlockData, BlockState } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { assertBlockId, failure, loadBlock, loadState, notInDb } from "./load.js";
import type { ServedChain } from "./served-chain.js";

/** Whole states are served up to this seqno, while they are small. */
const lastWholeState = 1000;

export async function getBlock(chain: ServedChain, { id }: { id: BlockIdExt }): Promise<BlockData> {
  const { boc } = await loadBlock(chain, id);
  return { id, data: boc };
}

export async function getState(chain: ServedChain, { id }: { id: BlockIdExt }): Promise<BlockState> {
  assertBlockId(id);
  if (id.seqno > lastWholeState) throw failure("cannot request total state: possibly too large");
  if (id.seqno === 0) {
    const data = await chain.zeroStateBoc(id);
    if (!data) throw notInDb(chain, id);
    return { id, rootHash: id.rootHash, fileHash: id.fileHash, data };
  }
  const state = await loadState(chain, id);
  const data = serializeBoc(state, { index: true });
  return { id, rootHash: state.hash(), fileHash: sha256(data), data };
}
