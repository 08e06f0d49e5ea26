import type { BlockIdExt } from "../tlb/block-id.js";
import type { AccountId } from "./lite-api.js";

/** Ends a subscription. */
export type Unsubscribe = () => void;

/** What only the devnet can tell its readers; they must work without it, too. */
export interface ChainEvents {
  /** A new masterchain block can be read. */
  onHead(listener: (head: BlockIdExt) => void): Unsubscribe;
  /** The chain went back: blocks after this masterchain seqno do not exist any more. */
  onReverted(listener: (mcSeqno: number) => void): Unsubscribe;
  /** Accounts changed in this masterchain block's step without a transaction. */
  edited(mcSeqno: number): Promise<AccountId[]>;
}

/** External messages that are accepted and not yet in a block. */
export interface PendingMessages {
  pending(): Promise<Uint8Array[]>;
  onAccepted(listener: (message: Uint8Array) => void): Unsubscribe;
}
