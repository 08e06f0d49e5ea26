import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { AccountState, LiteApi, TransactionList } from "../../../shared/ton/lite/lite-api.js";
import type { TransactionRef } from "../../../shared/ton/proofs/read/account.js";
import type { FoundTransaction } from "../../../shared/ton/proofs/read/transactions.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ShardAccount } from "../../../shared/ton/tlb/shard-account.js";
import type { Address } from "../../../shared/values/address.js";
import type { LiteserversOptions } from "../../chain/liteservers/liteservers.js";

/** The masterchain block at which a fork begins. */
export type ForkStart = {
  readonly block: BlockIdExt;
  /** Whether proofs lead from a trusted key block to it; otherwise the origin is believed. */
  readonly isProven: boolean;
  /** Name of the network, or host of the service. */
  readonly source: string;
  readonly globalId: number;
  readonly utime: number;
  /** Logical time at the end of the block. */
  readonly lt: bigint;
  /** Root of the dictionary of configuration parameters. */
  readonly config: Cell;
};

/** Tokens of each kind that an origin is asked to list for an owner. */
export const maxListed = 256;

/** Transactions of an account, from one backwards. */
export type TransactionPage = { address: Address; from: TransactionRef; count: number };

/** Wallets of jettons and items of NFTs that a service lists for an owner, unchecked and as of its newest block. */
export type ListedTokens<Account = Address> = { wallets: Account[]; items: Account[] };

/** A network as of the masterchain block at which a fork begins. Rejects with an `OriginError` if it cannot answer. */
export interface ForkOrigin {
  readonly start: ForkStart;
  /** Its liteservers, with all blocks that they have; absent if it has none. */
  readonly api?: LiteApi | undefined;
  /** The account as of the block; undefined if it did not exist. Equal requests share one round trip. */
  account(address: Address, signal?: AbortSignal): Promise<ShardAccount | undefined>;
  /** The account with the proofs of a liteserver; undefined if the origin has none. */
  accountProof(address: Address, signal?: AbortSignal): Promise<AccountState | undefined>;
  /** Public libraries; missing ones are left out. */
  libraries(hashes: readonly Uint8Array[], signal?: AbortSignal): Promise<Cell[]>;
  /** Newest first; empty if the origin does not have them. */
  transactions(page: TransactionPage, signal?: AbortSignal): Promise<FoundTransaction[]>;
  /** As `transactions`, in a liteserver's answer with the blocks; undefined if the origin has no liteservers. */
  transactionList(page: TransactionPage, signal?: AbortSignal): Promise<TransactionList | undefined>;
  /** At most `maxListed` tokens of each kind; undefined if the origin has no API v3. */
  listedTokens(owner: Address, signal?: AbortSignal): Promise<ListedTokens | undefined>;
  /** The cached answer of `account`. */
  known(address: Address): { account: ShardAccount | undefined } | "unknown";
  status(): OriginStatus;
  close(): Promise<void>;
}

/** Counters of the requests to an origin. */
export type OriginStatus = {
  requests: number;
  failures: number;
  /** Sum of the durations of all requests, in milliseconds. */
  durationMs: number;
  /** Answers from the cache. */
  cached: number;
  /** Whether the file of the cache has no room for more. */
  isFull: boolean;
  /** Requests that wait for an answer. */
  waiting: number;
  /** Why the last request failed; undefined if it succeeded. */
  problem: string | undefined;
};

/**
 * Why an origin did not answer: it cannot be reached at the moment, its answer is false, it does not have the data, or
 * it refuses the request.
 */
type OriginErrorKind = "unavailable" | "untrusted" | "missing" | "refused";

type OriginErrorOptions = ErrorOptions & {
  /** Milliseconds that the origin asks to wait before the next request. */
  retryAfterMs?: number | undefined;
  /** Kind of the answer that a service gave instead of a result; absent if it did not answer. */
  refusal?: Refusal | undefined;
};

/** `limited`: the caller has to wait. `unknown`: the service does not have the method. */
type Refusal = "limited" | "unknown" | "failed";

export class OriginError extends Error {
  override readonly name = "OriginError";
  readonly kind: OriginErrorKind;
  readonly retryAfterMs: number | undefined;
  readonly refusal: Refusal | undefined;
  /** At the start it is shown as a sentence, as a `SetupError` is. */
  readonly isSetupError = true;

  constructor(
    kind: OriginErrorKind,
    message: string,
    { retryAfterMs, refusal, ...options }: OriginErrorOptions = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.refusal = refusal;
  }
}

/** Log of an origin: progress of the proof, and servers that are banned. */
export type OriginLog = LiteserversOptions["log"];

/** Options of an origin. Plain data, so that they can be sent to another thread. */
export type OriginOptions = (
  | {
      kind: "liteservers";
      /** Shown as the fork's source. */
      name: string;
      /** Text of a global configuration. */
      config: string;
      /** URL of the newest list of the network's liteservers. */
      listUrl?: string | undefined;
    }
  | { kind: "url"; url: string; key?: string | undefined }
) & {
  /** Seqno of the masterchain block; default: the newest one. */
  block?: number | undefined;
  /** Folder of the cache, which has one fork; without it the cache is in memory. */
  folder?: string | undefined;
  /** How long a request may take with all its repetitions; default: 10 s. */
  timeoutMs?: number | undefined;
};

/** Options of a fork. Plain data, as those of its origin. */
export type ForkOptions = {
  origin: OriginOptions;
  /** Whether time goes on from the block's, or from the present. */
  time: "now" | "block";
};
