import type { AccountId } from "../../shared/ton/lite/lite-api.js";
import type { BlockIdExt } from "../../shared/ton/tlb/block-id.js";
import type { Unsubscribe } from "../../shared/values/listeners.js";

/** Events of a devnet. Chains that are read through liteservers have none, so readers must work without them. */
export interface ChainEvents {
  /** A new masterchain block can be read. */
  onHead(listener: (head: BlockIdExt) => void): Unsubscribe;
  /** The chain was reverted: blocks after this masterchain seqno do not exist any more. */
  onReverted(listener: (mcSeqno: number) => void): Unsubscribe;
  /** Accounts that changed without a transaction in the step of this masterchain block. */
  edited(mcSeqno: number): Promise<AccountId[]>;
}

/** External messages that are accepted but not yet in a block, as BOCs. */
export interface PendingMessages {
  pending(): Promise<Uint8Array[]>;
  /** `ignoresSignatures`: the account's checks of signatures succeed whatever is signed. */
  onAccepted(listener: (message: Uint8Array, ignoresSignatures: boolean) => void): Unsubscribe;
  /** A message was taken out on request: no block will have it. */
  onDropped(listener: (message: Uint8Array) => void): Unsubscribe;
}
