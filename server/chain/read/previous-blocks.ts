import type { BlockIdExt } from "../../tlb/block-id.js";
import type { StackValue } from "../executor/stack.js";
import type { LiteApi, LiteCall } from "../lite-api.js";
import { previousBlocks } from "../serve/previous-blocks.js";
import { shownState } from "./proofs.js";

/** PrevBlocksInfo of c7 for contracts that run after a masterchain block. */
export async function readPreviousBlocks(
  lite: LiteApi,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<StackValue> {
  const { configProof } = await lite.getConfigParams({ id: block, paramList: [], prevBlocks: true }, call);
  const { custom } = shownState(configProof);
  if (!custom) throw new TypeError("the proof has no previous blocks");
  return previousBlocks(block, custom.value.history.value);
}
