import type { Cell } from "../../cells/cell.js";
import type { BlockIdExt, ZeroStateIdExt } from "../../tlb/block-id.js";

/** A block with its file and its root cell. */
export type ServedBlock = { id: BlockIdExt; boc: Uint8Array; root: Cell };

/** Search criterion among the blocks of one shard. */
export type BlockSearch = { seqno: number } | { lt: bigint } | { utime: number };

/** Validator signatures of a masterchain block. */
export type ServedSignatures = {
  validatorListHashShort: number;
  catchainSeqno: number;
  signatures: { nodeIdShort: Uint8Array; signature: Uint8Array }[];
};

/**
 * The chain behind a liteserver. Absent values are `undefined`. Answers do not change, except when a devnet is reverted.
 */
export interface ServedChain {
  readonly zeroState: ZeroStateIdExt;
  /** The newest masterchain block whose shard blocks exist; the zero state's id before the first block. */
  readonly last: BlockIdExt;

  /** The newest block of the shard with this account prefix. */
  top(workchain: number, prefix: bigint): BlockIdExt | undefined;
  block(id: BlockIdExt): Promise<ServedBlock | undefined>;
  /** The state after a block; for seqno 0 the zero state. */
  state(id: BlockIdExt): Promise<Cell | undefined>;
  /** The original file of a zero state. */
  zeroStateBoc(id: BlockIdExt): Promise<Uint8Array | undefined>;
  /**
   * Searches the blocks of the shards that contain the prefix: the one with this seqno, or the first one whose end lt or
   * time is at or after the criterion.
   */
  find(workchain: number, prefix: bigint, by: BlockSearch): Promise<BlockIdExt | undefined>;
  /** Seqno of the masterchain block that registered the block. */
  masterchainRef(id: BlockIdExt): Promise<number | undefined>;
  signatures(mcSeqno: number): Promise<ServedSignatures | undefined>;
  /** Seqno of the last key block up to and including this seqno; 0 for the zero state. */
  keyBlockAtOrBefore(mcSeqno: number): number;
  keyBlockAfter(mcSeqno: number): number | undefined;
  /** Calls back whenever `last` changes; returns the unsubscribe function. */
  onChange(listener: () => void): () => void;
}
