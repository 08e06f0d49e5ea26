import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { shownState } from "./proofs.js";

/** Every network has this parameter. */
const someParam = 0;

/**
 * Nanotons that exist after a masterchain block. The state has the sum beside the configuration, so that the proof of a
 * small parameter shows it.
 */
export async function readSupply(lite: LiteApi, block: BlockIdExt, call?: LiteCall): Promise<bigint> {
  const { configProof } = await lite.getConfigParams({ id: block, paramList: [someParam] }, call);
  const { custom } = shownState(configProof);
  if (!custom) throw new TypeError("the proof has no state of the masterchain");
  return custom.value.globalBalance.coins;
}
