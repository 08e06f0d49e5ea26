import type { ExtBlkRef } from "../../../shared/ton/tlb/block-ref.js";
import type { OldMcBlocksInfo } from "../../../shared/ton/tlb/old-mc-blocks.js";
import type { ChainSide } from "./chain-side.js";

/** The newest key block, including the tip itself. The zero state counts as a key block. */
export function lastKeyBlock(masterchain: ChainSide): ExtBlkRef | undefined {
  const { afterKeyBlock, lastKeyBlock } = masterchain.master.history.value;
  return afterKeyBlock ? masterchain.ref : lastKeyBlock;
}

/** All masterchain blocks up to and including the tip, as listed in the next state. */
export function blocksUpTo(masterchain: ChainSide): OldMcBlocksInfo {
  const { prevBlocks, afterKeyBlock } = masterchain.master.history.value;
  return prevBlocks.set(masterchain.tip.id.seqno, { key: afterKeyBlock, blkRef: masterchain.ref });
}
