import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import type { LiteApi, LiteCall } from "../../lite/lite-api.js";
import { isNotFound } from "../../lite/not-found.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { decode } from "../../tlb/codec.js";
import type { ConfigDictionary, ConfigParams } from "../../tlb/config-params.js";
import { ShardStateUnsplit } from "../../tlb/shard-state.js";
import { shownBlock, shownState } from "./proofs.js";

/** The network configuration at a block. */
export type ConfigView = {
  /** Root of the dictionary of parameters. */
  root: Cell;
  /** Decode one with `configParam(params, 44)`. */
  params: ConfigDictionary;
};

/** Where the state is not kept any more, the last key block has the same configuration. */
export async function readConfig(
  lite: Pick<LiteApi, "getConfigAll">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<ConfigView> {
  try {
    const { configProof } = await lite.getConfigAll({ id: block }, call);
    return viewOf(shownState(configProof).custom?.value.config);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const { configProof } = await lite.getConfigAll({ id: block, fromPrevKeyBlock: true }, call);
    return viewOf(shownBlock(configProof).extra.value.custom?.value.config);
  }
}

/** The configuration of a zero state, of which liteservers give the whole only. */
export async function readFirstConfig(
  lite: Pick<LiteApi, "getState">,
  block: BlockIdExt,
  call?: LiteCall,
): Promise<ConfigView> {
  const { data } = await lite.getState({ id: block }, call);
  return viewOf(decode(ShardStateUnsplit, parseBocRoot(data)).custom?.value.config);
}

function viewOf(params: ConfigParams | undefined): ConfigView {
  if (!params) throw new TypeError("the proof has no configuration");
  const { config } = params;
  return { root: config.cell.physical, params: config.value };
}
