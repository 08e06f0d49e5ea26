import { previousBlocks } from "../../../shared/ton/proofs/make/previous-blocks.js";
import type { ExtBlkRef } from "../../../shared/ton/tlb/block-ref.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import type { McStateExtra } from "../../../shared/ton/tlb/mc-state-extra.js";
import type { OldMcBlocksInfo } from "../../../shared/ton/tlb/old-mc-blocks.js";
import type { OutMsgQueueInfo, ProcessedInfo } from "../../../shared/ton/tlb/out-msg-queue.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import { lazy } from "../../../shared/values/lazy.js";
import type { CollatedBlock, ZeroState } from "./block/block-pair.js";
import type { ProcessedUpto } from "./messages/processed-info.js";

/** Id of a block or zero state, and the state after it. */
export type SideTip = Pick<CollatedBlock | ZeroState, "id" | "state">;

/** One of the two chains after its newest block. */
export class ChainSide {
  readonly tip: SideTip;
  readonly state: ShardStateUnsplit;
  /** The newest blocks in the form that contracts read; always the same value. Throws for the basechain. */
  readonly previousBlocks: () => StackValue = lazy(() =>
    previousBlocks(this.tip.id, this.master.history.value),
  );

  /** Configurations without the capability of queue sizes do not store it. */
  readonly #countedQueue: () => number = lazy(() => [...this.queueInfo.outQueue.keys()].length);

  constructor(tip: SideTip) {
    this.tip = tip;
    this.state = decode(ShardStateUnsplit, tip.state);
  }

  get workchain(): number {
    return this.tip.id.workchain;
  }

  /** Reference to the newest block. */
  get ref(): ExtBlkRef {
    const { seqno, rootHash, fileHash } = this.tip.id;
    return { endLt: this.state.genLt, seqno, rootHash, fileHash };
  }

  get queueInfo(): OutMsgQueueInfo {
    return this.state.outMsgQueueInfo.value;
  }

  get queueSize(): number {
    return this.queueInfo.extra?.outQueueSize ?? this.#countedQueue();
  }

  get processed(): ProcessedUpto[] {
    return processedOf(this.queueInfo.procInfo);
  }

  /** Masterchain part of the state. Throws for the basechain. */
  get master(): McStateExtra {
    if (!this.state.custom) throw new Error("a basechain state has no masterchain part");
    return this.state.custom.value;
  }
}

function processedOf(info: ProcessedInfo): ProcessedUpto[] {
  return Array.from(info.entries(), ([{ mcSeqno }, { lastMsgLt, lastMsgHash }]) => ({
    mcSeqno,
    lt: lastMsgLt,
    hash: lastMsgHash,
  }));
}

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
