import type { ExtBlkRef } from "../../tlb/block-ref.js";
import type { OldMcBlocksInfo } from "../../tlb/old-mc-blocks.js";
import type { ChainSide } from "./chain-side.js";

/** The newest key block as of a masterchain block, itself included; the zero state counts as one. */
export function lastKeyBlock(masterchain: ChainSide): ExtBlkRef | undefined {
  const { afterKeyBlock, lastKeyBlock } = masterchain.master.history.value;
  return afterKeyBlock ? masterchain.ref : lastKeyBlock;
}

/** All masterchain blocks up to the newest one, which the next state lists. */
export function blocksUpTo(masterchain: ChainSide): OldMcBlocksInfo {
  const { prevBlocks, afterKeyBlock } = masterchain.master.history.value;
  return prevBlocks.set(masterchain.tip.id.seqno, { key: afterKeyBlock, blkRef: masterchain.ref });
}
