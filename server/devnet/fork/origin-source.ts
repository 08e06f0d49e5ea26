import type { AccountState, LiteApi, TransactionList } from "../../../shared/ton/lite/lite-api.js";
import type { Library } from "../../../shared/ton/proofs/read/libraries.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import type { ForkStart, ListedTokens, TransactionPage } from "./origin.js";

/** Limits of one attempt: an abort signal, and the Unix time in milliseconds when it fires. */
export type Attempt = { signal: AbortSignal; deadline: number };

/** An account as the source sent it. */
export type SourceAccount = {
  /** Undefined if the account does not exist. */
  account: ShardAccount | undefined;
  /** The liteserver's answer, with its proofs. */
  proof?: AccountState;
};

/** Libraries that are requested at once. */
export const maxLibraries = 16;

/** A way to ask a network. Each read is one attempt, which rejects with an `OriginError`. */
export interface OriginSource {
  /** Identifies the network, so that answers of another one are not mistaken for its own. */
  readonly identity: string;
  /** Requests that may be in flight. */
  readonly maxParallel: number;
  /** Whether accounts come with proofs. */
  readonly hasProofs: boolean;
  /** Absent if the source has no liteservers. */
  readonly api?: LiteApi | undefined;
  /** The block with this seqno, or the newest one. Waits until the source can be used. */
  start(seqno: number | undefined, signal: AbortSignal): Promise<ForkStart>;
  account(block: BlockIdExt, address: Address, attempt: Attempt): Promise<SourceAccount>;
  /** At most `maxLibraries` hashes; libraries that do not exist are left out. */
  libraries(block: BlockIdExt, hashes: readonly Uint8Array[], attempt: Attempt): Promise<Library[]>;
  transactions(page: TransactionPage, attempt: Attempt): Promise<FoundTransaction[]>;
  /** As `transactions`, in a liteserver's answer; absent if the source is none. */
  transactionList?(page: TransactionPage, attempt: Attempt): Promise<TransactionList>;
  /** Absent if the source has no API v3; undefined if it turns out to have none. */
  listedTokens?(owner: Address, attempt: Attempt): Promise<ListedTokens | undefined>;
  close(): void;
}
