import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Address } from "../../../../shared/values/address.js";
import { bytesEqual, bytesToBase64, bytesToHex } from "../../../../shared/values/bytes.js";
import { parseBoc, parseBocRoot, serializeBoc } from "../../../cells/boc.js";
import type { Cell } from "../../../cells/cell.js";
import type { BlockPair, CollatedBlock, ZeroState } from "../block-pair.js";
import type { ChainStorage, StoredChain } from "../chain-storage.js";
import type { Genesis } from "../genesis.js";
import { BlockIndex } from "./block-index.js";
import { decodeRecord, encodeRecord, type StoredBlock, type StoredPair } from "./chain-records.js";
import { DataDirectory } from "./data-directory.js";
import { FileLog } from "./file-log.js";
import { type LogRecord, MemoryLog, type RecordLog } from "./record-log.js";
import { type ChainRoots, type StateLimits, StateStore, stateUpdate } from "./state-store.js";

/** A stored step with the root cells of its blocks. */
export type ReadPair = StoredPair & { roots: ChainRoots };

/** The steps read last, newest ones among them. */
const pairsKept = 256;

/**
 * The devnet's blocks and states, in memory or in a directory that a later process goes on from. What can be read
 * here is kept for good already.
 */
export class ChainStore implements ChainStorage {
  readonly #path: string | undefined;
  readonly #limits: StateLimits;
  readonly #pairs: LRUCache<number, ReadPair>;
  readonly #listeners = new Set<() => void>();
  readonly #index = new BlockIndex();
  #opened: { genesis: Genesis; log: RecordLog; states: StateStore } | undefined;
  #directory: DataDirectory | undefined;

  /** With a path the chain outlives the process. */
  constructor(path?: string, limits: StateLimits = { recent: 256, interval: 1000 }) {
    this.#path = path;
    this.#limits = limits;
    this.#pairs = new LRUCache({ max: pairsKept, fetchMethod: (seqno) => this.#readPair(seqno) });
  }

  async open(genesis: Genesis): Promise<StoredChain> {
    const { masterchain, basechain } = genesis;
    const states = new StateStore(
      { masterchain: masterchain.state, basechain: basechain.state },
      this.#limits,
      async (seqno) => (await this.pair(seqno)).roots,
    );
    if (this.#path === undefined) {
      this.#opened = { genesis, states, log: new MemoryLog() };
      return { last: undefined, pending: [] };
    }
    this.#directory = await DataDirectory.open(this.#path);
    try {
      await claimDirectory(this.#directory, genesis);
      const replay = new LogReplay(this.#index);
      const log = await FileLog.open(this.#directory.logPath, (record, at) => replay.take(record, at));
      this.#opened = { genesis, states, log };
      await this.#directory.sync();
      await this.#loadSnapshot();
      return { last: await this.#lastPair(), pending: replay.pending() };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** The blocks there are, found in every way a reader asks for them. */
  get index(): Omit<BlockIndex, "add" | "truncate"> {
    return this.#index;
  }

  get genesis(): Genesis {
    return this.#open.genesis;
  }

  /** Calls back after the newest step has become another one, or there is one fewer. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async append(pair: BlockPair): Promise<void> {
    const { edited, ...rest } = pair;
    const seqno = pair.masterchain.id.seqno;
    const stored = {
      ...rest,
      basechain: withoutCells(pair.basechain),
      masterchain: withoutCells(pair.masterchain),
    };
    const records = [encodeRecord({ type: "pair", pair: stored })];
    if (edited.length > 0)
      records.unshift(encodeRecord({ type: "edited", mcSeqno: seqno, accounts: edited }));
    const position = (await this.#open.log.append(records)).at(-1)!;
    this.#index.add(position, stored, edited);
    const states = { masterchain: pair.masterchain.state, basechain: pair.basechain.state };
    this.#open.states.add(seqno, states);
    this.#pairs.set(seqno, {
      ...stored,
      roots: { masterchain: pair.masterchain.root, basechain: pair.basechain.root },
    });
    this.#changed();
    if (this.#directory && seqno % this.#limits.interval === 0)
      await this.#directory.writeSnapshot(seqno, serializeBoc([states.masterchain, states.basechain]));
  }

  async accept(message: Uint8Array): Promise<void> {
    await this.#open.log.append([encodeRecord({ type: "message", message })]);
  }

  async revert(mcSeqno: number): Promise<BlockPair | undefined> {
    if (mcSeqno > this.#index.lastSeqno) throw new RangeError(`there is no step ${mcSeqno} to go back to`);
    await this.#open.log.append([encodeRecord({ type: "revert", mcSeqno })]);
    this.#index.truncate(mcSeqno);
    this.#open.states.truncate(mcSeqno);
    for (const seqno of [...this.#pairs.keys()]) if (seqno > mcSeqno) this.#pairs.delete(seqno);
    await this.#directory?.dropSnapshotsAfter(mcSeqno);
    const last = await this.#lastPair();
    this.#changed();
    return last;
  }

  async statesAt(mcSeqno: number): Promise<ChainRoots | undefined> {
    if (mcSeqno > this.#index.lastSeqno) return undefined;
    return this.#open.states.get(mcSeqno);
  }

  async blocksAt(mcSeqno: number): Promise<ChainRoots | undefined> {
    return this.#index.get(mcSeqno) && (await this.pair(mcSeqno)).roots;
  }

  stepAt(workchain: number, lt: bigint): number | undefined {
    const block = this.#index.findByLt(workchain, lt);
    return block && block.startLt <= lt ? block.id.seqno : undefined;
  }

  /** The step with this seqno, which must exist. */
  async pair(seqno: number): Promise<ReadPair> {
    const pair = await this.#pairs.fetch(seqno);
    if (!pair) throw new Error(`step ${seqno} was reverted while it was read`);
    return pair;
  }

  async close(): Promise<void> {
    await this.#opened?.log.close();
    await this.#directory?.release();
  }

  get #open(): { genesis: Genesis; log: RecordLog; states: StateStore } {
    if (!this.#opened) throw new Error("the chain store is not open");
    return this.#opened;
  }

  async #readPair(seqno: number): Promise<ReadPair> {
    const indexed = this.#index.get(seqno);
    if (!indexed) throw new RangeError(`there is no step ${seqno}`);
    const record = decodeRecord(await this.#open.log.read(indexed.position));
    if (record.type !== "pair") throw new Error(`the log has no step at ${indexed.position}`);
    const { pair } = record;
    const roots = {
      masterchain: parseBocRoot(pair.masterchain.boc),
      basechain: parseBocRoot(pair.basechain.boc),
    };
    return { ...pair, roots };
  }

  async #lastPair(): Promise<BlockPair | undefined> {
    const seqno = this.#index.lastSeqno;
    if (seqno === 0) return undefined;
    const { roots, ...pair } = await this.pair(seqno);
    const states = await this.#open.states.get(seqno);
    return {
      ...pair,
      edited: this.#index.get(seqno)!.edited,
      basechain: { ...pair.basechain, root: roots.basechain, state: states.basechain },
      masterchain: { ...pair.masterchain, root: roots.masterchain, state: states.masterchain },
    };
  }

  /** The newest stored state that belongs to a block of this chain; a revert may have left others. */
  async #loadSnapshot(): Promise<void> {
    for (const seqno of (await this.#directory?.snapshots()) ?? []) {
      if (seqno === 0 || seqno > this.#index.lastSeqno) continue;
      const boc = await this.#directory!.readSnapshot(seqno);
      const [masterchain, basechain] = boc ? parseBoc(boc) : [];
      const { roots } = await this.pair(seqno);
      if (!masterchain || !basechain) continue;
      if (!isStateAfter(roots.masterchain, masterchain) || !isStateAfter(roots.basechain, basechain))
        continue;
      this.#open.states.addBase(seqno, { masterchain, basechain });
      return;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Builds the index from the log and finds the messages that never got into a block. */
class LogReplay {
  readonly #index: BlockIndex;
  readonly #waiting = new Map<string, Uint8Array>();
  /** Announces the accounts of the step behind it. */
  #edited: { mcSeqno: number; accounts: Address[] } | undefined;

  constructor(index: BlockIndex) {
    this.#index = index;
  }

  take(logRecord: LogRecord, position: number): void {
    const record = decodeRecord(logRecord);
    switch (record.type) {
      case "edited":
        this.#edited = record;
        return;
      case "pair": {
        const { pair } = record;
        const edited = this.#edited?.mcSeqno === pair.masterchain.id.seqno ? this.#edited.accounts : [];
        this.#index.add(position, pair, edited);
        this.#edited = undefined;
        for (const { hash } of pair.finished) this.#waiting.delete(bytesToHex(hash));
        return;
      }
      case "revert":
        this.#index.truncate(record.mcSeqno);
        this.#waiting.clear();
        return;
      case "message":
        this.#waiting.set(sha256Hex(record.message), record.message);
    }
  }

  /** Oldest first, copied out of the buffers the log was read through. */
  pending(): Uint8Array[] {
    return Array.from(this.#waiting.values(), (message) => message.slice());
  }
}

/** Writes down which chain a new directory holds, or refuses one that holds another. */
async function claimDirectory(directory: DataDirectory, genesis: Genesis): Promise<void> {
  const idOf = ({ id }: ZeroState) => ({
    root_hash: bytesToBase64(id.rootHash),
    file_hash: bytesToBase64(id.fileHash),
  });
  const meta = {
    format: 1,
    seed: genesis.seed,
    zero_state: { masterchain: idOf(genesis.masterchain), basechain: idOf(genesis.basechain) },
  };
  const text = `${JSON.stringify(meta, undefined, 2)}\n`;
  const stored = await directory.readMeta();
  if (stored === undefined) return directory.writeMeta(text);
  if (stored !== text)
    throw new Error(`the data directory holds another chain: ${stored.replace(/\s+/g, " ")}`);
}

function isStateAfter(blockRoot: Cell, state: Cell): boolean {
  return bytesEqual(stateUpdate(blockRoot).ref(1).hash(0), state.hash(0));
}

function withoutCells({ root: _, state: __, ...block }: CollatedBlock): StoredBlock {
  return block;
}

function sha256Hex(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
