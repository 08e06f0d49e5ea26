import type { Cell } from "../../cells/cell.js";
import type { BlockPair } from "../blocks/block-pair.js";
import type { Genesis } from "../genesis/genesis.js";

/** Where a stored chain stands: what a start needs to go on. */
export type StoredChain = {
  /** The newest step; absent while only the zero states exist. */
  last: BlockPair | undefined;
  /** External messages that were accepted and are in no block yet, oldest first. */
  pending: Uint8Array[];
};

/**
 * What the chain needs of whoever keeps its blocks. A write is kept for good once its promise resolves, and the
 * chain answers its callers only then. Calls come one after another, except `accept`, which may overlap.
 */
export interface ChainStorage {
  /** Called once, before anything else; fails when what is stored began from other zero states. */
  open(genesis: Genesis): Promise<StoredChain>;
  append(pair: BlockPair): Promise<void>;
  /** An external message went into the mempool: sendBoc's answer promises it will be tried. */
  accept(message: Uint8Array): Promise<void>;
  /** Forgets every step after the masterchain block; 0 leaves the zero states. Gives the step that is last now. */
  revert(mcSeqno: number): Promise<BlockPair | undefined>;
  /** State roots after the masterchain block; `undefined` when the chain does not have it. */
  statesAt(mcSeqno: number): Promise<{ masterchain: Cell; basechain: Cell } | undefined>;
  /** Roots of the step's two blocks; `undefined` when the chain does not have it. */
  blocksAt(mcSeqno: number): Promise<{ masterchain: Cell; basechain: Cell } | undefined>;
  /** The step whose block of the workchain covers the logical time. */
  stepAt(workchain: number, lt: bigint): number | undefined;
  close(): Promise<void>;
}
