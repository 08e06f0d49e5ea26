import { NamedError } from "../../values/named-error.js";

// The functions of a liteserver as TypeScript: one method per function of lite_api.tl, the schema's field names in
// camelCase, `int` a number, `long` a bigint, `int256` and `bytes` a Uint8Array. Shards, sequence numbers, unix and
// logical times and 32-bit hashes are unsigned. Bits of `mode` are named options; a field switched off by a bit is absent.
// Requests and answers are plain data that a structured clone leaves unchanged, so a LiteApi may live in another thread.
import type { BlockId, BlockIdExt, ZeroStateIdExt } from "../tlb/block-id.js";
import type { Exchange } from "./exchange.js";

/** Options of a call. */
export type LiteCall = {
  /** Aborts the call, which rejects with 653. */
  signal?: AbortSignal | undefined;
  /** Unix time in milliseconds after which the call rejects with 652. */
  deadline?: number | undefined;
  /** `liteServer.waitMasterchainSeqno`: run the call once the server has this masterchain block. */
  waitSeqno?: number | undefined;
  /** A pool prefers the servers with the longest history. */
  archival?: boolean | undefined;
  /** A pool adds the indices, in its list, of the servers it queried. */
  asked?: Set<number> | undefined;
  /** The caller's name. The executor divides its time among callers; liteservers ignore it. */
  caller?: string | undefined;
  /** Receives the CPU time of each run of the executor for this call, in milliseconds. */
  spent?: ((cpuMs: number) => void) | undefined;
  /** Receives what was asked and answered, so that a caller can show a wrong answer. */
  heard?: ((exchange: Exchange) => void) | undefined;
};

/** `liteServer.error code:int message:string` */
export class LiteError extends NamedError {
  static override readonly name: string = "LiteError";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Codes of `liteServer.error`; a node's query handler uses `failure` for every error without a separate code. */
export const liteErrorCode = {
  failure: -400,
  /** The query took too long; `timeout` means that the block waited for did not arrive. */
  queryTimeout: -503,
  unspecified: 0,
  error: 602,
  protocolViolation: 621,
  notReady: 651,
  timeout: 652,
  cancelled: 653,
} as const;

/** Without `proof` the answer's proof fields are empty byte arrays. */
export type WithProof = { proof?: boolean };

/** `liteServer.accountId workchain:int id:int256` */
export type AccountId = { workchain: number; id: Uint8Array };

export type MasterchainInfo = {
  last: BlockIdExt;
  stateRootHash: Uint8Array;
  init: ZeroStateIdExt;
};
export type Version = { version: number; capabilities: bigint; now: number };
export type MasterchainInfoExt = MasterchainInfo & Version & { lastUtime: number };

export type BlockData = { id: BlockIdExt; data: Uint8Array };
export type BlockState = {
  id: BlockIdExt;
  rootHash: Uint8Array;
  fileHash: Uint8Array;
  data: Uint8Array;
};

/** Parts of a header proof in addition to the header and the references to earlier blocks. */
export type HeaderParts = {
  /** Bit 0: the state update with the hashes of both states; otherwise a pruned cell. */
  stateUpdate?: boolean;
  /** Bit 1. */
  valueFlow?: boolean;
  /** Bit 4. */
  extra?: boolean;
  /** Bit 5, with `extra`. */
  shardHashes?: boolean;
  /** Bit 6, with `extra`. */
  prevBlockSignatures?: boolean;
};
export type BlockHeader = { id: BlockIdExt; headerProof: Uint8Array };

/**
 * Exactly one of `bySeqno` (bit 0), `lt` (bit 1) and `utime` (bit 2) must be given. `id.shard` is an account prefix: the
 * block found is of the shard that contains it.
 */
export type BlockLookup = {
  id: BlockId;
  bySeqno?: boolean;
  lt?: bigint;
  utime?: number;
};
export type LookupBlockResult = {
  id: BlockIdExt;
  mcBlockId: BlockIdExt;
  clientMcStateProof: Uint8Array;
  mcBlockProof: Uint8Array;
  shardLinks: ShardBlockLink[];
  header: Uint8Array;
  prevHeader: Uint8Array;
};

export type AllShardsInfo = {
  id: BlockIdExt;
  proof: Uint8Array;
  data: Uint8Array;
};
export type ShardInfo = {
  id: BlockIdExt;
  shardblk: BlockIdExt;
  shardProof: Uint8Array;
  shardDescr: Uint8Array;
};
export type ShardBlockLink = { id: BlockIdExt; proof: Uint8Array };
export type ShardBlockProof = {
  masterchainId: BlockIdExt;
  links: ShardBlockLink[];
};

/** `id` is a masterchain block, or a block of the account's shard; seqno `latestSeqno` means the newest. */
export type AccountQuery = { id: BlockIdExt; account: AccountId } & WithProof;
/** `state` is empty for an absent account. If the account has no shard, `shardblk` has workchain `invalidWorkchain`. */
export type AccountState = {
  id: BlockIdExt;
  shardblk: BlockIdExt;
  shardProof: Uint8Array;
  proof: Uint8Array;
  state: Uint8Array;
};

export type MethodCall = {
  id: BlockIdExt;
  account: AccountId;
  /** CRC16 of the name, with bit 16 set. */
  methodId: bigint;
  /** BOC of a VmStack, shorter than 64 KiB. */
  params: Uint8Array;
  /** Bit 0: proofs of shard and account. */
  proof?: boolean;
  /** Bit 1: a proof of the account cells that the run read. */
  stateProof?: boolean;
  /** Bit 2: the resulting stack. */
  result?: boolean;
  /** Bit 3. */
  initC7?: boolean;
  /** Bit 4. */
  libExtras?: boolean;
  /** Bit 5, with `initC7`: the complete c7 instead of the short form. */
  fullC7?: boolean;
};
export type RunMethodResult = {
  id: BlockIdExt;
  shardblk: BlockIdExt;
  shardProof?: Uint8Array;
  proof?: Uint8Array;
  stateProof?: Uint8Array;
  initC7?: Uint8Array;
  libExtras?: Uint8Array;
  exitCode: number;
  result?: Uint8Array;
};

/** Newest first. `transactions` is a BOC with one root per transaction, `ids` are the blocks they are in. */
export type TransactionList = { ids: BlockIdExt[]; transactions: Uint8Array };
export type TransactionInfo = {
  id: BlockIdExt;
  proof: Uint8Array;
  transaction: Uint8Array;
};
export type TransactionMetadata = {
  depth: number;
  initiator: AccountId;
  initiatorLt: bigint;
};
export type TransactionId = {
  account?: Uint8Array;
  lt?: bigint;
  hash?: Uint8Array;
  metadata?: TransactionMetadata;
};

/** Ordered by account, then logical time, both ascending; `reverseOrder` reverses both. */
export type BlockTransactionsQuery = {
  id: BlockIdExt;
  count: number;
  /** Cursor: list the transactions after this one. */
  after?: { account: Uint8Array; lt: bigint };
  reverseOrder?: boolean;
  /** Bit 8: the initiator of the message chain. With whole transactions it is in the proof, which is then always sent. */
  metadata?: boolean;
} & WithProof;
/** Fields included in each id: bits 0, 1 and 2. */
export type TransactionIdFields = { account?: boolean; lt?: boolean; hash?: boolean };
export type BlockTransactions = {
  id: BlockIdExt;
  reqCount: number;
  incomplete: boolean;
  ids: TransactionId[];
  proof: Uint8Array;
};
export type BlockTransactionsExt = Omit<BlockTransactions, "ids"> & {
  transactions: Uint8Array;
};

export type ConfigQuery = {
  id: BlockIdExt;
  /** Bit 15: read the last key block up to `id` instead of its state. */
  fromPrevKeyBlock?: boolean;
  /** Bit 0. */
  stateRoot?: boolean;
  /** Bit 1. */
  libraries?: boolean;
  /** Bit 2. */
  stateExtra?: boolean;
  /** Bit 3. */
  shardHashes?: boolean;
  /** Bit 4. */
  validatorSet?: boolean;
  /** Bit 5. */
  specialContracts?: boolean;
  /** Bit 6. */
  accountsRoot?: boolean;
  /** Bit 7. */
  prevBlocks?: boolean;
  /** Bit 8. */
  workchains?: boolean;
  /** Bit 9. */
  capabilities?: boolean;
} & WithProof;
/** `configProof` contains the answer and is always sent; `stateProof` only if proofs are requested. */
export type ConfigInfo = {
  id: BlockIdExt;
  stateProof: Uint8Array;
  configProof: Uint8Array;
};

export type LibraryEntry = { hash: Uint8Array; data: Uint8Array };
export type LibraryResult = { result: LibraryEntry[] };
export type LibraryResultWithProof = LibraryResult & {
  id: BlockIdExt;
  stateProof: Uint8Array;
  dataProof: Uint8Array;
};

export type Signature = { nodeIdShort: Uint8Array; signature: Uint8Array };
export type SignatureSet =
  | {
      type: "ordinary";
      validatorSetHash: number;
      catchainSeqno: number;
      signatures: Signature[];
    }
  | {
      type: "simplex";
      ccSeqno: number;
      validatorSetHash: number;
      signatures: Signature[];
      sessionId: Uint8Array;
      slot: number;
      candidate: Uint8Array;
    };
export type BlockLinkBack = {
  type: "back";
  toKeyBlock: boolean;
  from: BlockIdExt;
  to: BlockIdExt;
  destProof: Uint8Array;
  proof: Uint8Array;
  stateProof: Uint8Array;
};
export type BlockLinkForward = {
  type: "forward";
  toKeyBlock: boolean;
  from: BlockIdExt;
  to: BlockIdExt;
  destProof: Uint8Array;
  configProof: Uint8Array;
  signatures: SignatureSet;
};
export type BlockLink = BlockLinkBack | BlockLinkForward;
export type BlockProofQuery = {
  knownBlock: BlockIdExt;
  /** Bit 0; without it the proof leads to the newest block whose shard blocks the server has. */
  targetBlock?: BlockIdExt;
  /** Bit 1, without `targetBlock`: to the newest block. */
  toNewest?: boolean;
  /** Bit 12, with `targetBlock`: base the proof on the newer of both blocks instead of the server's newest one. */
  baseOnGiven?: boolean;
};
export type PartialBlockProof = {
  complete: boolean;
  from: BlockIdExt;
  to: BlockIdExt;
  steps: BlockLink[];
};

export type OutMsgQueueSizes = {
  shards: { id: BlockIdExt; size: number }[];
  extMsgQueueSizeLimit: number;
};
/** `proof` is absent unless requested. */
export type BlockOutMsgQueueSize = {
  id: BlockIdExt;
  size: bigint;
  proof?: Uint8Array;
};

export type ValidatorStatsQuery = {
  id: BlockIdExt;
  limit: number;
  startAfter?: Uint8Array;
  modifiedAfter?: number;
} & WithProof;
export type ValidatorStats = {
  id: BlockIdExt;
  count: number;
  complete: boolean;
  stateProof: Uint8Array;
  dataProof: Uint8Array;
};
export type DispatchQueueInfo = {
  id: BlockIdExt;
  accountDispatchQueues: {
    addr: Uint8Array;
    size: bigint;
    minLt: bigint;
    maxLt: bigint;
  }[];
  complete: boolean;
  proof?: Uint8Array;
};
export type DispatchQueueMessagesQuery = {
  id: BlockIdExt;
  addr: Uint8Array;
  afterLt: bigint;
  maxMessages: number;
  /** Bit 1: only messages of `addr`. */
  oneAccount?: boolean;
  /** Bit 2: include the messages. */
  messagesBoc?: boolean;
} & WithProof;
export type DispatchQueueMessages = {
  id: BlockIdExt;
  messages: {
    addr: Uint8Array;
    lt: bigint;
    hash: Uint8Array;
    metadata: TransactionMetadata;
  }[];
  complete: boolean;
  proof?: Uint8Array;
  messagesBoc?: Uint8Array;
};
type PendingShardBlocks = {
  signedBlocks: BlockIdExt[];
  candidates: BlockIdExt[];
};

type Nothing = Record<never, never>;

/** One method per liteserver function. Rejects with a LiteError if the server cannot answer. */
export interface LiteApi {
  getMasterchainInfo(request?: Nothing, call?: LiteCall): Promise<MasterchainInfo>;
  /** `shardsApplied` (bit 0): the last block whose shard blocks the server has as well. */
  getMasterchainInfoExt(request?: { shardsApplied?: boolean }, call?: LiteCall): Promise<MasterchainInfoExt>;
  getTime(request?: Nothing, call?: LiteCall): Promise<{ now: number }>;
  getVersion(request?: Nothing, call?: LiteCall): Promise<Version>;

  /** The original file: its sha256 is the id's file hash. */
  getBlock(request: { id: BlockIdExt }, call?: LiteCall): Promise<BlockData>;
  /** The whole state, for seqno up to 1000 only. */
  getState(request: { id: BlockIdExt }, call?: LiteCall): Promise<BlockState>;
  getBlockHeader(request: { id: BlockIdExt } & HeaderParts, call?: LiteCall): Promise<BlockHeader>;
  lookupBlock(request: BlockLookup & HeaderParts, call?: LiteCall): Promise<BlockHeader>;
  /** `lookupBlock` with a proof that leads from the caller's trusted masterchain block to the block found. */
  lookupBlockWithProof(
    request: BlockLookup & HeaderParts & { mcBlockId: BlockIdExt },
    call?: LiteCall,
  ): Promise<LookupBlockResult>;

  /** `data` is a BOC of one cell with the ShardHashes dictionary. */
  getAllShardsInfo(request: { id: BlockIdExt } & WithProof, call?: LiteCall): Promise<AllShardsInfo>;
  getShardInfo(
    request: {
      id: BlockIdExt;
      workchain: number;
      shard: bigint;
      exact: boolean;
    } & WithProof,
    call?: LiteCall,
  ): Promise<ShardInfo>;
  getShardBlockProof(request: { id: BlockIdExt }, call?: LiteCall): Promise<ShardBlockProof>;

  getAccountState(request: AccountQuery, call?: LiteCall): Promise<AccountState>;
  /** `state` is a Merkle proof of the account without code, data and libraries. */
  getAccountStatePrunned(request: AccountQuery, call?: LiteCall): Promise<AccountState>;
  runSmcMethod(request: MethodCall, call?: LiteCall): Promise<RunMethodResult>;
  sendMessage(request: { body: Uint8Array }, call?: LiteCall): Promise<{ status: number }>;

  /** Transactions of an account from this lt and hash backwards, at most 16. */
  getTransactions(
    request: {
      count: number;
      account: AccountId;
      lt: bigint;
      hash: Uint8Array;
    },
    call?: LiteCall,
  ): Promise<TransactionList>;
  /** `id` is a block of the account's shard; `transaction` is empty if it has none with this lt. */
  getOneTransaction(
    request: { id: BlockIdExt; account: AccountId; lt: bigint } & WithProof,
    call?: LiteCall,
  ): Promise<TransactionInfo>;
  listBlockTransactions(
    request: BlockTransactionsQuery & TransactionIdFields,
    call?: LiteCall,
  ): Promise<BlockTransactions>;
  listBlockTransactionsExt(request: BlockTransactionsQuery, call?: LiteCall): Promise<BlockTransactionsExt>;

  getConfigAll(request: ConfigQuery, call?: LiteCall): Promise<ConfigInfo>;
  getConfigParams(request: ConfigQuery & { paramList: number[] }, call?: LiteCall): Promise<ConfigInfo>;
  getLibraries(request: { libraryList: Uint8Array[] }, call?: LiteCall): Promise<LibraryResult>;
  /** `publishers` (bit 0) adds the first publishers to the proof, `noData` (bit 1) omits the code from the answer. */
  getLibrariesWithProof(
    request: {
      id: BlockIdExt;
      libraryList: Uint8Array[];
      publishers?: boolean;
      noData?: boolean;
    },
    call?: LiteCall,
  ): Promise<LibraryResultWithProof>;

  getBlockProof(request: BlockProofQuery, call?: LiteCall): Promise<PartialBlockProof>;
  getOutMsgQueueSizes(request?: { wc?: number; shard?: bigint }, call?: LiteCall): Promise<OutMsgQueueSizes>;
  getBlockOutMsgQueueSize(
    request: { id: BlockIdExt } & WithProof,
    call?: LiteCall,
  ): Promise<BlockOutMsgQueueSize>;

  getValidatorStats(request: ValidatorStatsQuery, call?: LiteCall): Promise<ValidatorStats>;
  getDispatchQueueInfo(
    request: {
      id: BlockIdExt;
      afterAddr?: Uint8Array;
      maxAccounts: number;
    } & WithProof,
    call?: LiteCall,
  ): Promise<DispatchQueueInfo>;
  getDispatchQueueMessages(
    request: DispatchQueueMessagesQuery,
    call?: LiteCall,
  ): Promise<DispatchQueueMessages>;
  getPendingShardBlocks(
    request?: { wc?: number; shard?: bigint },
    call?: LiteCall,
  ): Promise<PendingShardBlocks>;
}
