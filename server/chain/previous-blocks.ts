import { bytesToHex } from "../../shared/values/bytes.js";
import { wholeShard } from "./block-id.js";
import type { StackValue } from "./executor/stack.js";
import type { ExtBlkRef } from "./tlb/block-ref.js";
import type { McStateExtra } from "./tlb/mc-state-extra.js";

const listed = 16;

/** Newest key block a masterchain state knows of, its own block included; the zero state counts as one. */
export function lastKeyBlock(extra: McStateExtra, own: ExtBlkRef): ExtBlkRef | undefined {
  const { afterKeyBlock, lastKeyBlock } = extra.history.value;
  return afterKeyBlock ? own : lastKeyBlock;
}

/**
 * What contracts see of earlier masterchain blocks, of the state after block `own`: its last 16 blocks, the last key
 * block and the last 16 blocks whose seqno is a multiple of 100.
 *
 *     [ wc shard seqno root_hash file_hash ] : BlockId
 *     [ last_mc_blocks:[BlockId...] prev_key_block:BlockId last_mc_blocks_100:[BlockId...] ] : PrevBlocksInfo
 */
export function previousBlocks(extra: McStateExtra, own: ExtBlkRef): StackValue {
  const { prevBlocks } = extra.history.value;
  const at = (seqno: number) => (seqno === own.seqno ? own : prevBlocks.get(seqno)!.blkRef);
  const recent: ExtBlkRef[] = [];
  for (let seqno = own.seqno; seqno >= 0 && recent.length < listed; seqno--) recent.push(at(seqno));
  const hundreds: ExtBlkRef[] = [];
  for (let seqno = own.seqno - (own.seqno % 100); seqno >= 0 && hundreds.length < listed; seqno -= 100)
    hundreds.push(at(seqno));
  const keyBlock = lastKeyBlock(extra, own);
  return tuple([
    tuple(recent.map(blockId)),
    keyBlock ? blockId(keyBlock) : { type: "null" },
    tuple(hundreds.map(blockId)),
  ]);
}

function blockId({ seqno, rootHash, fileHash }: ExtBlkRef): StackValue {
  return tuple([int(-1n), int(wholeShard), int(BigInt(seqno)), int(number(rootHash)), int(number(fileHash))]);
}

function number(hash: Uint8Array): bigint {
  return BigInt(`0x${bytesToHex(hash)}`);
}

function int(value: bigint): StackValue {
  return { type: "int", value };
}

function tuple(items: StackValue[]): StackValue {
  return { type: "tuple", items };
}
