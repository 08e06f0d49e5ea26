import type { Address } from "../../../shared/values/address.js";
import type { Cell } from "../../cells/cell.js";
import type { BlockIdExt } from "../../tlb/block-id.js";

/** A block as the collator made it, with the state it leads to. */
export type CollatedBlock = {
  id: BlockIdExt;
  /** The exact bytes of the block's file: their SHA-256 is `id.fileHash`. */
  boc: Uint8Array;
  root: Cell;
  /** Root of the shard state after this block. Its cells are shared with earlier states. */
  state: Cell;
  genUtime: number;
  startLt: bigint;
  endLt: bigint;
  transactionCount: number;
};

/** `sig_pair$_ node_id_short:bits256 sign:CryptoSignature`: a validator's signature of `ton.blockId`. */
export type BlockSignature = { nodeIdShort: Uint8Array; signature: Uint8Array };

/** What vouches for a masterchain block: the validators entitled to make it, and their signatures. */
export type BlockSignatures = {
  validatorListHashShort: number;
  catchainSeqno: number;
  signatures: BlockSignature[];
};

/**
 * An external message that left the mempool with this step: in the block, refused by its account at last, or too old.
 * `hash` is the SHA-256 of its bytes as they were accepted.
 */
export type FinishedMessage = { hash: Uint8Array; included: boolean };

/** What one step of the chain makes: a basechain block and the masterchain block that registers it. */
export type BlockPair = {
  basechain: CollatedBlock;
  masterchain: CollatedBlock;
  keyBlock: boolean;
  signatures: BlockSignatures;
  /** Accounts changed without a transaction (`setBalance` and the like). */
  edited: Address[];
  finished: FinishedMessage[];
};

/** A state without a block: where a chain begins. `id.fileHash` is the hash of `boc`. */
export type ZeroState = { id: BlockIdExt; boc: Uint8Array; state: Cell };
