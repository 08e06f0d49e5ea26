import type { Address } from "../../../values/address.js";
import { bytesToHex, hexToBytes } from "../../../values/bytes.js";
import { foundIn, itemAt } from "../../../values/lookups.js";
import { parseBocRoot } from "../../cells/boc/boc.js";
import type { Cell } from "../../cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../cells/dictionaries/dictionary.js";
import type { LiteCall } from "../../lite/lite-api.js";
import { isNotFound } from "../../lite/not-found.js";
import type { ConfigView } from "../../proofs/read/config.js";
import type { BlockHeader } from "../../proofs/read/header.js";
import type { ChainReader } from "../../proofs/read/reader.js";
import type { FoundTransaction } from "../../proofs/read/transactions.js";
import {
  accountPrefix,
  type BlockIdExt,
  masterchain,
  shardContainsPrefix,
  wholeShard,
} from "../../tlb/block-id.js";
import type { StackValue } from "../../tvm/stack.js";
import { libraryHash, libraryHashes } from "../code-libraries.js";

/** The reads of the chain that a retrace takes. */
export type RetraceReads = Pick<
  ChainReader,
  | "account"
  | "accountTransactions"
  | "config"
  | "header"
  | "libraries"
  | "librariesAt"
  | "lookup"
  | "previousBlocks"
  | "randSeed"
  | "transactions"
>;

/** What the transactions of an account in a block were made with, besides the account. */
export type BlockInputs = {
  block: BlockIdExt;
  header: BlockHeader;
  /** The masterchain block whose configuration and libraries the block sees. */
  master: BlockIdExt;
  /** The block of the account's shard before it. */
  before: BlockIdExt;
  randSeed: Uint8Array;
  config: ConfigView;
  /** Absent if no server has the state that lists them. */
  previousBlocks: StackValue | undefined;
  libraries: BlockLibraries;
  /** The account's own, in their order. */
  transactions: readonly FoundTransaction[];
};

export async function readInputs(
  reader: RetraceReads,
  { block, address }: { block: BlockIdExt; address: Address },
  call: LiteCall,
): Promise<BlockInputs> {
  const [header, randSeed, transactions] = await Promise.all([
    reader.header(block, call),
    reader.randSeed(block, call),
    reader.accountTransactions(block, address, call),
  ]);
  const master = masterOf(header);
  const [config, previousBlocks] = await Promise.all([
    reader.config(master),
    reader.previousBlocks(master).catch(ifNotKept),
  ]);
  return {
    block,
    header,
    master,
    // After a merge there are two, of which one has the account.
    before: foundIn(header.previous, ({ shard }) => shardContainsPrefix(shard, accountPrefix(address.hash))),
    randSeed,
    config,
    previousBlocks,
    libraries: new BlockLibraries(reader, master, call),
    transactions,
  };
}

function masterOf({ info, previous }: BlockHeader): BlockIdExt {
  const { masterRef } = info;
  if (!masterRef) return itemAt(previous, 0);
  const { seqno, rootHash, fileHash } = masterRef.value.master;
  return { workchain: masterchain, shard: wholeShard, seqno, rootHash, fileHash };
}

function ifNotKept(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** The public libraries that the runs of a block need, as of the masterchain block that it refers to. */
class BlockLibraries {
  readonly #reader: Pick<ChainReader, "libraries" | "librariesAt">;
  readonly #master: BlockIdExt;
  readonly #call: LiteCall;
  #found = Dictionary.empty(bytesKey(32), cellRef);
  /** Hashes in hex that were asked for. */
  readonly #asked = new Set<string>();

  constructor(reader: Pick<ChainReader, "libraries" | "librariesAt">, master: BlockIdExt, call: LiteCall) {
    this.#reader = reader;
    this.#master = master;
    this.#call = call;
  }

  /** Root of the dictionary that the executor takes; undefined if it is empty. */
  get root(): Cell | undefined {
    return this.#found.root;
  }

  /** Learns the libraries that codes refer to. */
  async addOf(codes: readonly Cell[]): Promise<void> {
    await this.#add(codes.flatMap(libraryHashes));
  }

  /** Learns the library that the run of a log lacked; returns whether there is a new one. */
  async addMissing(log: string): Promise<boolean> {
    const missing = missingLibrary(log);
    return missing !== undefined && (await this.#add([missing]));
  }

  async #add(hashes: readonly Uint8Array[]): Promise<boolean> {
    const unknown = hashes.filter((hash) => !this.#asked.has(bytesToHex(hash)));
    if (unknown.length === 0) return false;
    const found = await this.#read(unknown);
    for (const hash of unknown) this.#asked.add(bytesToHex(hash));
    this.#found = this.#found.update(found.map(({ hash, cell }) => [hash, cell]));
    return found.length > 0;
  }

  /** A library's hash proves it: one that is still there is as good where no server has the state any more. */
  async #read(hashes: readonly Uint8Array[]) {
    try {
      return await this.#reader.librariesAt(this.#master, hashes, this.#call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return this.#reader.libraries(hashes, this.#call);
    }
  }
}

const lacked = "handling exception code 9: failed to load library cell";
const topCell = /C\{([0-9A-F]+)\} \] \n$/;

/** The library cell that an instruction could not open is the top of the stack, which the log has as a bag of cells. */
function missingLibrary(log: string): Uint8Array | undefined {
  const end = log.lastIndexOf(lacked);
  const start = end < 0 ? -1 : log.lastIndexOf("stack: [", end);
  if (start < 0) return undefined;
  const line = log.slice(start, log.indexOf("\n", start) + 1);
  const boc = hexToBytes(topCell.exec(line)?.[1] ?? "");
  const cell = boc && boc.length > 0 ? parseBocRoot(boc) : undefined;
  return cell?.type === "library" ? libraryHash(cell) : undefined;
}
