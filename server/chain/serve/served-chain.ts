import type { Cell } from "../../cells/cell.js";
import type { BlockIdExt, ZeroStateIdExt } from "../../tlb/block-id.js";

/** A block of the chain that is served. */
export type ServedBlock = { id: BlockIdExt; boc: Uint8Array; root: Cell };

/** How a block is looked for among those of one shard's path. */
export type BlockSearch = { seqno: number } | { lt: bigint } | { utime: number };

/** What vouches for a masterchain block. */
export type ServedSignatures = {
  validatorListHashShort: number;
  catchainSeqno: number;
  signatures: { nodeIdShort: Uint8Array; signature: Uint8Array }[];
};

/**
 * What answering liteserver questions needs of a chain. Absent is `undefined`; what was given stays true until a
 * revert, which only a devnet knows.
 */
export interface ServedChain {
  readonly zeroState: ZeroStateIdExt;
  /** The newest masterchain block with its shard blocks there, at first the zero state's id. */
  readonly last: BlockIdExt;

  /** The newest block of the shard with this account prefix. */
  top(workchain: number, prefix: bigint): BlockIdExt | undefined;
  block(id: BlockIdExt): Promise<ServedBlock | undefined>;
  /** The state after a block; that of seqno 0 is a zero state. */
  state(id: BlockIdExt): Promise<Cell | undefined>;
  /** The file of a zero state. */
  zeroStateBoc(id: BlockIdExt): Promise<Uint8Array | undefined>;
  /** Among the blocks whose shard has the account prefix: with this seqno, or the first ending or made at or after. */
  find(workchain: number, prefix: bigint, by: BlockSearch): Promise<BlockIdExt | undefined>;
  /** Seqno of the masterchain block that registered the block. */
  masterchainRef(id: BlockIdExt): Promise<number | undefined>;
  signatures(mcSeqno: number): Promise<ServedSignatures | undefined>;
  /** Seqno of the last key block up to this seqno, itself included; 0 for the zero state. */
  keyBlockAtOrBefore(mcSeqno: number): number;
  keyBlockAfter(mcSeqno: number): number | undefined;
  /** Calls back whenever `last` has changed; the answer ends that. */
  onChange(listener: () => void): () => void;
}
