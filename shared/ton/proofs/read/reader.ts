import { LRUCache } from "lru-cache";
import type { Address } from "../../../values/address.js";
import { bytesToCharacters } from "../../../values/bytes.js";
import { sharedRead } from "../../../values/shared-reads.js";
import type {
  BlockLinkBack,
  LiteApi,
  LiteCall,
  OutMsgQueueSizes,
  SignatureSet,
} from "../../lite/lite-api.js";
import {
  type BlockIdExt,
  formatBlockIdExt,
  masterchain,
  wholeShard,
  zeroStateBlock,
} from "../../tlb/block-id.js";
import type { StackValue } from "../../tvm/stack.js";
import { type AccountSnapshot, heldAccount, readAccount, readFirstAccount } from "./account.js";
import { readLinkBack, readShardProof, readSignatures, type ShardProof } from "./block-proofs.js";
import {
  type BlockList,
  type BlockListQuery,
  type ListedTransaction,
  listBlockTransactions,
  readAccountBlock,
  readBlockTransactions,
} from "./block-transactions.js";
import { type ConfigView, readConfig, readFirstConfig } from "./config.js";
import type { ChainHead } from "./head.js";
import { type BlockHeader, readHeader, readRandSeed } from "./header.js";
import type { HeldStates, StateHolder } from "./held-states.js";
import { type Library, readLibraries, readLibrariesAt } from "./libraries.js";
import { readNewShardBlocks } from "./new-shard-blocks.js";
import type { OutsideAccounts } from "./outside.js";
import { readPreviousBlocks } from "./previous-blocks.js";
import { readShards } from "./shards.js";
import { readSupply } from "./supply.js";
import {
  type FoundTransaction,
  readTransactions,
  type TransactionsPage,
  type TransactionsQuery,
} from "./transactions.js";

/** Lookup of a block by one criterion, in the shard that contains the prefix. */
type BlockLookup = { workchain: number; shard: bigint } & (
  | { seqno: number }
  | { lt: bigint }
  | { utime: number }
);

type ReaderParts = {
  lite: LiteApi;
  head: ChainHead;
  /** Absent if this process does not hold the chain's states. */
  states?: StateHolder | undefined;
  /** The accounts that a fork has not changed. */
  outside?: OutsideAccounts | undefined;
};

/** Size of a cache entry in addition to the account's state. */
const bytesPerAccount = 2000;
const accountCacheBytes = 32 * 1024 * 1024;
/** Decoded accounts cached per held state, for contracts read by many callers. */
const maxHeldAccounts = 64;

/**
 * Typed reads of a chain over any LiteApi. Every read is at a given block. Blocks are immutable, so accounts, headers
 * and configurations are cached. Reads accounts from states that this thread holds, if there are any. Throws the
 * LiteErrors of the LiteApi unchanged.
 */
export class ChainReader {
  readonly #lite: LiteApi;
  readonly #head: ChainHead;
  readonly #states: StateHolder | undefined;
  readonly #outside: OutsideAccounts | undefined;
  readonly #headers = new LRUCache<string, BlockHeader>({ max: 1000 });
  readonly #accounts = new LRUCache<string, AccountSnapshot>({
    maxSize: accountCacheBytes,
    sizeCalculation: ({ bytes }) => bytesPerAccount + bytes,
  });
  /** Decoded accounts per held state, collected together with it. */
  readonly #heldAccounts = new WeakMap<HeldStates, LRUCache<string, AccountSnapshot>>();
  /** Get-methods run at the last block, so few entries are enough. */
  readonly #previousBlocks = new LRUCache<string, Promise<StackValue>>({ max: 4 });
  /** Memoized key per id: most reads are at the last block, which is always the same object. */
  readonly #keys = new WeakMap<BlockIdExt, string>();
  #bySeqno = newBySeqno();

  constructor({ lite, head, states, outside }: ReaderParts) {
    this.#lite = lite;
    this.#head = head;
    this.#states = states;
    this.#outside = outside;
  }

  /** The newest masterchain block, shared by the whole service. */
  get last(): BlockIdExt {
    return this.#head.last;
  }

  /** Unix time in milliseconds at which the service learned of `last`. */
  get lastSeenAt(): number {
    return this.#head.seenAt;
  }

  get zeroState(): BlockIdExt {
    return zeroStateBlock(this.#head.zeroState);
  }

  /** The masterchain block with this seqno; the last one if undefined. Throws a LiteError if there is none. */
  async blockAt(seqno: number | undefined, call?: LiteCall): Promise<BlockIdExt> {
    if (seqno === undefined || seqno === this.last.seqno) return this.last;
    const { blocks } = this.#bySeqno;
    const known = blocks.get(seqno);
    if (known) return known;
    const block = await this.lookup({ workchain: masterchain, shard: wholeShard, seqno }, call);
    blocks.set(seqno, block);
    return block;
  }

  /** The first block that matches. Throws a LiteError if there is none. */
  async lookup({ workchain, shard, ...by }: BlockLookup, call?: LiteCall): Promise<BlockIdExt> {
    const id = { workchain, shard, seqno: "seqno" in by ? by.seqno : 0 };
    const search = "seqno" in by ? { bySeqno: true } : by;
    return (await this.#lite.lookupBlock({ id, ...search }, call)).id;
  }

  /** A block's header. Cached. */
  async header(id: BlockIdExt, call?: LiteCall): Promise<BlockHeader> {
    const key = this.#keyOf(id);
    const known = this.#headers.get(key);
    if (known) return known;
    const header = await readHeader(this.#lite, id, call);
    this.#headers.set(key, header);
    return header;
  }

  /** The random seed of a block, which its transactions see. */
  randSeed(id: BlockIdExt, call?: LiteCall): Promise<Uint8Array> {
    return readRandSeed(this.#lite, id, call);
  }

  /** The account at a masterchain block, or at a block of its shard. Cached. */
  async account(block: BlockIdExt, address: Address, call?: LiteCall): Promise<AccountSnapshot> {
    const account = await this.#accountIn(block, address, call);
    return this.#outside ? this.#outside.complete(account, call) : account;
  }

  async #accountIn(block: BlockIdExt, address: Address, call?: LiteCall): Promise<AccountSnapshot> {
    const states = block.workchain === masterchain ? await this.#states?.at(block) : undefined;
    if (states) return this.#heldAccount(states, block, address);
    const key = `${address.toRaw()} ${this.#keyOf(block)}`;
    const known = this.#accounts.get(key);
    if (known) return known;
    const read = block.seqno === 0 ? readFirstAccount : readAccount;
    const account = await read(this.#lite, block, address, call);
    this.#accounts.set(key, account);
    return account;
  }

  #heldAccount(states: HeldStates, block: BlockIdExt, address: Address): AccountSnapshot {
    let accounts = this.#heldAccounts.get(states);
    if (!accounts) {
      accounts = new LRUCache({ max: maxHeldAccounts });
      this.#heldAccounts.set(states, accounts);
    }
    const key = `${address.workchain}:${bytesToCharacters(address.hash)}`;
    const known = accounts.get(key);
    if (known) return known;
    const account = heldAccount(states, block, address);
    accounts.set(key, account);
    return account;
  }

  /** The configuration after a masterchain block. Cached per key block. */
  async config(block: BlockIdExt): Promise<ConfigView> {
    const { configs } = this.#bySeqno;
    if (block.seqno === 0) return sharedRead(configs, 0, () => readFirstConfig(this.#lite, block));
    const key = keySeqno(await this.header(block));
    return sharedRead(configs, key, () => readConfig(this.#lite, block));
  }

  /** Nanotons that exist after a masterchain block. */
  supply(block: BlockIdExt, call?: LiteCall): Promise<bigint> {
    return readSupply(this.#lite, block, call);
  }

  /** PrevBlocksInfo of c7 for contracts that run after a masterchain block. */
  previousBlocks(block: BlockIdExt): Promise<StackValue> {
    return sharedRead(this.#previousBlocks, this.#keyOf(block), () => readPreviousBlocks(this.#lite, block));
  }

  /** Returns the public libraries with these hashes that exist at the newest block, distinct and ascending by hash. */
  libraries(hashes: readonly Uint8Array[], call?: LiteCall): Promise<Library[]> {
    return readLibraries(this.#lite, hashes, call);
  }

  /** The same as of a masterchain block. */
  librariesAt(block: BlockIdExt, hashes: readonly Uint8Array[], call?: LiteCall): Promise<Library[]> {
    return readLibrariesAt(this.#lite, block, hashes, call);
  }

  /** The newest shard blocks that a masterchain block registers. */
  shards(block: BlockIdExt, call?: LiteCall): Promise<BlockIdExt[]> {
    return readShards(this.#lite, block, call);
  }

  /** The shard blocks that a masterchain block is the first to register, by workchain, shard and seqno. */
  newShardBlocks(block: BlockIdExt, call?: LiteCall): Promise<BlockIdExt[]> {
    return readNewShardBlocks(this, block, call);
  }

  outMsgQueueSizes(call?: LiteCall): Promise<OutMsgQueueSizes> {
    return this.#lite.getOutMsgQueueSizes({}, call);
  }

  /** One page of an account's transactions, newest first. */
  transactions(query: TransactionsQuery, call?: LiteCall): Promise<TransactionsPage> {
    return readTransactions(this.#lite, query, call);
  }

  /** Ids of a block's transactions, up to `query.count`. */
  listBlock(query: BlockListQuery, call?: LiteCall): Promise<BlockList<ListedTransaction>> {
    return listBlockTransactions(this.#lite, query, call);
  }

  /** A block's transactions, up to `query.count`. */
  blockTransactions(query: BlockListQuery, call?: LiteCall): Promise<BlockList<FoundTransaction>> {
    return readBlockTransactions(this.#lite, query, call);
  }

  /** All transactions of one account in a block of its shard. */
  accountTransactions(block: BlockIdExt, account: Address, call?: LiteCall): Promise<FoundTransaction[]> {
    return readAccountBlock(this.#lite, block, account, call);
  }

  /** The validator signatures of a masterchain block. */
  async signatures(block: BlockIdExt, call?: LiteCall): Promise<SignatureSet> {
    const previous = block.seqno === 1 ? this.zeroState : await this.blockAt(block.seqno - 1, call);
    return readSignatures(this.#lite, { previous, block }, call);
  }

  /** Links that prove a shard block from the masterchain. */
  shardProof(id: BlockIdExt, call?: LiteCall): Promise<ShardProof> {
    return readShardProof(this.#lite, id, call);
  }

  /** The proof of an earlier masterchain block from a later one. */
  linkBack(link: { from: BlockIdExt; to: BlockIdExt }, call?: LiteCall): Promise<BlockLinkBack> {
    return readLinkBack(this.#lite, link, call);
  }

  #keyOf(block: BlockIdExt): string {
    const known = this.#keys.get(block);
    if (known !== undefined) return known;
    const key = formatBlockIdExt(block);
    this.#keys.set(block, key);
    return key;
  }

  /** Whether the chain is a fork, which has transactions of another network before its first block. */
  get isFork(): boolean {
    return this.#outside !== undefined;
  }

  /** Call after a revert: drops the caches by seqno, whose blocks may not exist any more. */
  forget(): void {
    this.#bySeqno = newBySeqno();
  }
}

function newBySeqno() {
  return {
    /** Masterchain blocks. */
    blocks: new LRUCache<number, BlockIdExt>({ max: 10_000 }),
    /** By seqno of the key block. */
    configs: new LRUCache<number, Promise<ConfigView>>({ max: 16 }),
  };
}

/** Seqno of the last key block up to a block. */
function keySeqno({ info }: BlockHeader): number {
  return info.keyBlock ? info.seqno : info.prevKeyBlockSeqno;
}
