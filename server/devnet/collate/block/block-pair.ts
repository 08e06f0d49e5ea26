import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../../shared/ton/tlb/block-id.js";
import type { Address } from "../../../../shared/values/address.js";

/** A block made by the collator, and the shard state after it. */
export type CollatedBlock = {
  id: BlockIdExt;
  /** The exact bytes of the block's file: their SHA-256 is `id.fileHash`. */
  boc: Uint8Array;
  root: Cell;
  /** Root of the shard state after this block. Unchanged cells are shared with earlier states. */
  state: Cell;
  genUtime: number;
  startLt: bigint;
  endLt: bigint;
  transactionCount: number;
};

/** `sig_pair$_ node_id_short:bits256 sign:CryptoSignature`: a validator's signature of `ton.blockId`. */
export type BlockSignature = { nodeIdShort: Uint8Array; signature: Uint8Array };

/** Signatures of a masterchain block, and the validator session that made it. */
export type BlockSignatures = {
  validatorListHashShort: number;
  catchainSeqno: number;
  signatures: BlockSignature[];
};

/**
 * An external message that left the mempool in this step: included in the block, refused by its account, or expired.
 * `hash` is the SHA-256 of the accepted bytes.
 */
export type FinishedMessage = { hash: Uint8Array; included: boolean };

/** Result of one step: a basechain block and the masterchain block that registers it. */
export type BlockPair = {
  basechain: CollatedBlock;
  masterchain: CollatedBlock;
  keyBlock: boolean;
  signatures: BlockSignatures;
  /** Accounts changed without a transaction, e.g. by `setBalance`. */
  edited: Address[];
  finished: FinishedMessage[];
};

/** The state before the first block of a chain. `id.fileHash` is the SHA-256 of `boc`. */
export type ZeroState = { id: BlockIdExt; boc: Uint8Array; state: Cell };
