import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { BlockPair, BlockSignature } from "../collate/block/block-pair.js";
import { ChainSide } from "../collate/chain-side.js";
import type { Genesis } from "../genesis/genesis.js";

/** Both chains after their newest blocks. */
export type Tip = { masterchain: ChainSide; basechain: ChainSide; signatures: readonly BlockSignature[] };

export function tipOf(genesis: Genesis, last: BlockPair | undefined): Tip {
  return {
    masterchain: new ChainSide(last?.masterchain ?? genesis.masterchain),
    basechain: new ChainSide(last?.basechain ?? genesis.basechain),
    signatures: last?.signatures.signatures ?? [],
  };
}

/** Unix time of the newest block. */
export function utimeOf({ masterchain: { state } }: Tip): number {
  return state.genUtime;
}

/** Number of internal messages waiting for a block. */
export function queueSizeOf({ masterchain, basechain }: Tip): number {
  return masterchain.queueSize + basechain.queueSize;
}

/** An account's entry in the newest states; a destroyed account of a fork has an empty one. */
export function storedAccount(
  { masterchain: master, basechain }: Tip,
  workchain: number,
  id: Uint8Array,
): ShardAccount | undefined {
  if (workchain !== masterchain && workchain !== 0) return undefined;
  return (workchain === masterchain ? master : basechain).state.accounts.value.get(id);
}
