import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { McStateHistory } from "../../tlb/mc-state-extra.js";
import type { StackValue } from "../../tvm/stack.js";
import { previousBlocks } from "../make/previous-blocks.js";
import { shownState } from "./proofs.js";

/** The earlier blocks that a masterchain state lists, as PrevBlocksInfo needs them. */
export async function readHistory(
  lite: Pick<LiteApi, "getConfigParams">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<McStateHistory> {
  const { configProof } = await lite.getConfigParams({ id: block, paramList: [], prevBlocks: true }, call);
  const { custom } = shownState(configProof);
  if (!custom) throw new TypeError("the proof has no previous blocks");
  return custom.value.history.value;
}

/** PrevBlocksInfo of c7 for contracts that run after a masterchain block. */
export async function readPreviousBlocks(
  lite: Pick<LiteApi, "getConfigParams">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<StackValue> {
  return previousBlocks(block, await readHistory(lite, block, call));
}
