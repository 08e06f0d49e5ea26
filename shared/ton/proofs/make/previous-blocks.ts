import { valueAt } from "../../../values/lookups.js";
import type { BlockIdExt } from "../../tlb/block-id.js";
import { masterchain, wholeShard } from "../../tlb/block-id.js";
import type { McStateHistory } from "../../tlb/mc-state-extra.js";
import type { StackValue } from "../../tvm/stack.js";
import { hashNumber } from "./dictionary-walk.js";

/** A masterchain block, without its constant workchain and shard. */
type BlockRef = Pick<BlockIdExt, "seqno" | "rootHash" | "fileHash">;

const listed = 16;

/**
 * PrevBlocksInfo of c7, from the state after masterchain block `own`: the last 16 blocks, the last key block (the zero
 * state counts as one), and the last 16 blocks whose seqno is a multiple of 100.
 *
 *     [ wc:Integer shard:Integer seqno:Integer root_hash:Integer file_hash:Integer ] : BlockId
 *     [ last_mc_blocks:[BlockId...] prev_key_block:BlockId last_mc_blocks_100:[BlockId...] ] : PrevBlocksInfo
 */
export function previousBlocks(own: BlockRef, history: McStateHistory): StackValue {
  const { prevBlocks, afterKeyBlock, lastKeyBlock } = history;
  const keyBlock = afterKeyBlock ? own : lastKeyBlock;
  const every = (step: number) =>
    seqnosBack(own.seqno, step).map((seqno) =>
      seqno === own.seqno ? own : valueAt(prevBlocks, seqno).blkRef,
    );
  return tuple([
    tuple(every(1).map(blockTuple)),
    keyBlock ? blockTuple(keyBlock) : { type: "null" },
    tuple(every(100).map(blockTuple)),
  ]);
}

/** The last multiples of `step`, newest first, down to the zero state. */
function seqnosBack(seqno: number, step: number): number[] {
  const newest = Math.floor(seqno / step);
  return Array.from({ length: Math.min(listed, newest + 1) }, (_, back) => (newest - back) * step);
}

function blockTuple({ seqno, rootHash, fileHash }: BlockRef): StackValue {
  const numbers = [
    BigInt(masterchain),
    wholeShard,
    BigInt(seqno),
    hashNumber(rootHash),
    hashNumber(fileHash),
  ];
  return tuple(numbers.map((value) => ({ type: "int", value })));
}

function tuple(items: StackValue[]): StackValue {
  return { type: "tuple", items };
}
