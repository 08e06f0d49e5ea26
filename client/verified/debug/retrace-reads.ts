import type { LiteCall } from "../../../shared/ton/lite/lite-api.js";
import {
  type AccountSnapshot,
  readAccount,
  readFirstAccount,
} from "../../../shared/ton/proofs/read/account.js";
import { readAccountBlock } from "../../../shared/ton/proofs/read/block-transactions.js";
import { type ConfigView, readConfig, readFirstConfig } from "../../../shared/ton/proofs/read/config.js";
import { type BlockHeader, readHeader, readRandSeed } from "../../../shared/ton/proofs/read/header.js";
import { type Library, readLibraries, readLibrariesAt } from "../../../shared/ton/proofs/read/libraries.js";
import { placeOf } from "../../../shared/ton/proofs/read/locate-transaction.js";
import { readPreviousBlocks } from "../../../shared/ton/proofs/read/previous-blocks.js";
import {
  type FoundTransaction,
  readTransactions,
  type TransactionsPage,
  type TransactionsQuery,
} from "../../../shared/ton/proofs/read/transactions.js";
import { listBlockTransactionsExt } from "../../../shared/ton/proofs/verify/block-transactions.js";
import { getState } from "../../../shared/ton/proofs/verify/blocks.js";
import { getConfigAll } from "../../../shared/ton/proofs/verify/config.js";
import { getLibraries, getLibrariesWithProof } from "../../../shared/ton/proofs/verify/libraries.js";
import type { RetraceReads } from "../../../shared/ton/run/retrace/block-inputs.js";
import { type BlockIdExt, formatBlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { sharedRead } from "../../../shared/values/shared-reads.js";
import type { ProvenReads } from "../proven-reads.js";

const debugChecks = { getConfigAll, getLibraries, getLibrariesWithProof, getState, listBlockTransactionsExt };

type Lookup = Parameters<RetraceReads["lookup"]>[0];

/**
 * Proven reads for a retrace. The block of the transaction is proven from the newest one; its header has the hashes of the
 * blocks whose states prove everything else. Each answer is read once, for all runs of a transaction.
 */
export class ProvenRetraceReads implements RetraceReads {
  readonly #reads: ProvenReads;
  readonly #lite: ReturnType<typeof liteOf>;
  readonly #call: LiteCall;
  readonly #known = new Map<string, Promise<unknown>>();

  constructor(reads: ProvenReads, call: LiteCall) {
    this.#reads = reads;
    this.#lite = liteOf(reads);
    this.#call = call;
  }

  lookup(by: Lookup): Promise<BlockIdExt> {
    const { workchain, shard, ...way } = by;
    const id = { workchain, shard, seqno: "seqno" in way ? way.seqno : 0 };
    const search = "seqno" in way ? { bySeqno: true } : way;
    return this.#once(`lookup ${workchain} ${shard} ${Object.values(way)}`, async () => {
      // Lookups begin at the newest proven block.
      await this.#reads.head(this.#call);
      return (await this.#lite.lookupBlock({ id, ...search }, this.#call)).id;
    });
  }

  header(id: BlockIdExt): Promise<BlockHeader> {
    return this.#once(`header ${formatBlockIdExt(id)}`, () => readHeader(this.#lite, id, this.#call));
  }

  randSeed(id: BlockIdExt): Promise<Uint8Array> {
    return this.#once(`seed ${formatBlockIdExt(id)}`, () => readRandSeed(this.#lite, id, this.#call));
  }

  accountTransactions(block: BlockIdExt, account: Address): Promise<FoundTransaction[]> {
    return this.#once(`transactions ${formatBlockIdExt(block)} ${account.toRaw()}`, () =>
      readAccountBlock(this.#lite, block, account, this.#call),
    );
  }

  account(block: BlockIdExt, address: Address): Promise<AccountSnapshot> {
    const read = block.seqno === 0 ? readFirstAccount : readAccount;
    return this.#once(`account ${formatBlockIdExt(block)} ${address.toRaw()}`, () =>
      read(this.#lite, block, address, this.#call),
    );
  }

  /** Blocks after one key block have one configuration. */
  async config(block: BlockIdExt): Promise<ConfigView> {
    if (block.seqno === 0)
      return this.#once("first configuration", () => readFirstConfig(this.#lite, block, this.#call));
    const { info } = await this.header(block);
    const key = info.keyBlock ? info.seqno : info.prevKeyBlockSeqno;
    return this.#once(`configuration ${key}`, () => readConfig(this.#lite, block, this.#call));
  }

  previousBlocks(block: BlockIdExt): Promise<StackValue> {
    return this.#once(`previous ${formatBlockIdExt(block)}`, () =>
      readPreviousBlocks(this.#lite, block, this.#call),
    );
  }

  libraries(hashes: readonly Uint8Array[]): Promise<Library[]> {
    return this.#once(`libraries ${hashes.map(bytesToHex)}`, () =>
      readLibraries(this.#lite, hashes, this.#call),
    );
  }

  librariesAt(block: BlockIdExt, hashes: readonly Uint8Array[]): Promise<Library[]> {
    return this.#once(`libraries ${formatBlockIdExt(block)} ${hashes.map(bytesToHex)}`, () =>
      readLibrariesAt(this.#lite, block, hashes, this.#call),
    );
  }

  /** Blocks that a service names for transactions have no proof: each is looked up. */
  async transactions(query: TransactionsQuery): Promise<TransactionsPage> {
    const page = await readTransactions(this.#lite, query, this.#call);
    const blocks: BlockIdExt[] = [];
    for (const { address, transaction } of page.transactions)
      blocks.push(await this.lookup({ ...placeOf(address), lt: transaction.lt }));
    return { ...page, blocks };
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    return sharedRead(this.#known as Map<string, Promise<T>>, key, read);
  }
}

function liteOf(reads: ProvenReads) {
  return { ...reads.lite, ...reads.liteOf(debugChecks) };
}
