import type { BlockIdExt } from "../../tlb/block-id.js";
import type { StackValue } from "../executor/stack.js";
import type { LiteApi, LiteCall } from "../lite-api.js";
import { previousBlocks } from "../serve/previous-blocks.js";
import { shownState } from "./proofs.js";

/** What contracts that run after a masterchain block see of the blocks up to it. */
export async function readPreviousBlocks(
  lite: LiteApi,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<StackValue> {
  const { configProof } = await lite.getConfigParams({ id: block, paramList: [], prevBlocks: true }, call);
  const { custom } = shownState(configProof);
  if (!custom) throw new TypeError("the proof of previous blocks is of a state without any");
  return previousBlocks(block, custom.value.history.value);
}
