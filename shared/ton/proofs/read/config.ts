import type { Cell } from "../../cells/cell.js";
import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import type { ConfigDictionary } from "../../tlb/config-params.js";
import { shownState } from "./proofs.js";

/** The network configuration at a block. */
export type ConfigView = {
  /** Root of the dictionary of parameters. */
  root: Cell;
  /** Decode one with `configParam(params, 44)`. */
  params: ConfigDictionary;
};

export async function readConfig(
  lite: Pick<LiteApi, "getConfigAll">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<ConfigView> {
  const { configProof } = await lite.getConfigAll({ id: block }, call);
  const { custom } = shownState(configProof);
  if (!custom) throw new TypeError("the proof has no configuration");
  const { config } = custom.value.config;
  return { root: config.cell.physical, params: config.value };
}
