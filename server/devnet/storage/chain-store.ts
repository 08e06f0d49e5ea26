import { parseBoc, parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { ifReadable } from "../../../shared/ton/tlb/readable.js";
import type { Address } from "../../../shared/values/address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { Listeners } from "../../../shared/values/listeners.js";
import { itemAt, valueAt } from "../../../shared/values/lookups.js";
import { SetupError } from "../../errors.js";
import type { Fallback } from "../../observe/fallback.js";
import type { BlockPair, CollatedBlock } from "../collate/block/block-pair.js";
import type { EndLts } from "../collate/step.js";
import type { Genesis } from "../genesis/genesis.js";
import { BlockIndex } from "./block-index.js";
import {
  type ChainRecord,
  decodeRecord,
  encodeRecord,
  type NamedSnapshot,
  type StoredBlock,
  type StoredPair,
} from "./chain-records.js";
import type { ChainStorage, StoredChain, StoredMessage } from "./chain-storage.js";
import { claimDirectory, noteRecords } from "./claim.js";
import { DataDirectory } from "./data-directory.js";
import { FileLog, type OnFailure } from "./file-log.js";
import { LogReplay } from "./log-replay.js";
import { MemoryLog } from "./memory-log.js";
import { NotingLog } from "./noting-log.js";
import { PairReads, type ReadPair } from "./pair-reads.js";
import type { LogRecord, RecordLog } from "./record-log.js";
import { unlessReverted } from "./reverted-error.js";
import type { ImportedChain, KeptChain } from "./state-file.js";
import { type ChainRoots, type StateLimits, StateStore, stateUpdate } from "./state-store.js";

/** Snapshots are trusted and may exceed the default limits. */
const ownFileLimits = { bytes: 256 << 20, cells: 1 << 25 };

/** Without a directory it is in memory. */
type OpenChain = { genesis: Genesis; log: RecordLog; states: StateStore; directory?: DataDirectory };

/**
 * The devnet's blocks and states, in memory or in a directory that a later process can open. Only durable data can be
 * read.
 */
export class ChainStore implements ChainStorage {
  readonly #path: string | undefined;
  readonly #limits: StateLimits;
  readonly #onFailure: OnFailure;
  readonly #fallback: Fallback;
  readonly #pairs = new PairReads((seqno) => this.#readPair(seqno));
  /** After each append and revert. */
  readonly changes = new Listeners<void>();
  readonly #index = new BlockIndex();
  #opened: OpenChain | undefined;
  /** The election settings of a chain in memory. */
  #elections: string | undefined;
  /** The running write of a snapshot. */
  #writing: Promise<void> = Promise.resolve();

  /**
   * Stores the chain in the directory `path`, or in memory without one. `onFailure`: nothing can be written any more, or it
   * can again. `fallback`: gets the failures that the store goes on without.
   */
  constructor(
    path?: string,
    limits: StateLimits = { recent: 256, interval: 1000 },
    onFailure: OnFailure = () => {},
    fallback: Fallback = () => {},
  ) {
    this.#path = path;
    this.#onFailure = onFailure;
    this.#fallback = fallback;
    this.#limits = limits;
  }

  async open(newest: Genesis, others: Iterable<Genesis> = []): Promise<StoredChain> {
    if (this.#path === undefined) {
      this.#opened = { genesis: newest, states: this.#statesAfter(newest), log: new MemoryLog() };
      return { last: undefined, pending: [], snapshots: [] };
    }
    const directory = await DataDirectory.open(this.#path);
    try {
      return await this.#openIn(directory, newest, others);
    } catch (error) {
      await this.#opened?.log.close();
      await directory.release();
      throw error;
    }
  }

  async #openIn(directory: DataDirectory, newest: Genesis, others: Iterable<Genesis>): Promise<StoredChain> {
    const { genesis, hasRecords } = await claimDirectory(directory, newest, others);
    const states = this.#statesAfter(genesis);
    const replay = new LogReplay(this.#index);
    const take: typeof replay.take = (record, position) => replay.take(record, position);
    const file = await FileLog.open(directory.logPath, take, {
      onFailure: this.#onFailure,
      validEnd: (end) => replay.incompleteFrom ?? end,
    });
    const note = () => noteRecords(directory, genesis);
    const onFailure = (error: unknown) => this.#fallback("devnet-meta", error);
    const log = hasRecords ? file : new NotingLog(file, note, onFailure);
    this.#opened = { genesis, states, log, directory };
    if (hasRecords && file.isEmpty)
      throw new SetupError(
        `${directory.logPath} is empty, but it has held a chain: restore it, or remove the folder to begin a new chain`,
      );
    await directory.sync();
    await states.resume(this.#index.lastSeqno, await this.#findSnapshot());
    const { fork } = replay;
    const last = await this.#lastPair();
    return { last, pending: replay.pending(), snapshots: replay.snapshots(), fork };
  }

  /** Index of all stored blocks. */
  get index(): Omit<BlockIndex, "add" | "truncate"> {
    return this.#index;
  }

  get genesis(): Genesis {
    return this.#open.genesis;
  }

  async append(pair: BlockPair): Promise<void> {
    this.#index.assertNext(pair);
    const positions = await this.#open.log.append(this.#recordsOf(pair));
    this.#add(itemAt(positions, -1), pair);
    this.changes.notify();
  }

  async replace({ pairs, snapshots }: ImportedChain, fork?: Uint8Array): Promise<void> {
    const steps = pairs.map((pair) => this.#recordsOf(pair));
    const content = [
      ...steps.flat(),
      ...snapshots.map((snapshot) => encodeRecord({ type: "snapshot", snapshot })),
      ...(fork ? [encodeRecord({ type: "fork", start: fork })] : []),
    ];
    const records = [encodeRecord({ type: "replaced", records: content.length }), ...content];
    // With a directory, write first, because that may fail. In memory, free memory first.
    const written = this.#open.directory && (await this.#open.log.append(records));
    await this.#removeAfter(0);
    const positions = written ?? (await this.#open.log.append(records));
    let next = 1;
    for (const [i, pair] of pairs.entries()) {
      next += itemAt(steps, i).length;
      this.#add(itemAt(positions, next - 1), pair);
    }
    this.changes.notify();
  }

  async adopt({ records, states }: KeptChain): Promise<BlockPair> {
    const positions = await this.#open.log.append(records);
    let edited: Address[] = [];
    for (const [i, position] of positions.entries()) {
      const record = decodeRecord(itemAt(records, i));
      if (record.type === "edited") edited = record.accounts;
      if (record.type !== "pair") continue;
      this.#index.add(position, record.pair, edited);
      edited = [];
    }
    const seqno = this.#index.lastSeqno;
    await this.#open.states.resume(seqno, { seqno, states });
    this.changes.notify();
    return (await this.#lastPair())!;
  }

  async accept({ boc, ignoresSignatures }: StoredMessage): Promise<void> {
    await this.#note({ type: ignoresSignatures ? "unsigned" : "message", message: boc });
  }

  async drop(hash: Uint8Array): Promise<void> {
    await this.#note({ type: "dropped", hash });
  }

  async revert(mcSeqno: number, forgotten: readonly string[] = []): Promise<BlockPair | undefined> {
    if (mcSeqno > this.#index.lastSeqno) throw new RangeError(`there is no step ${mcSeqno} to go back to`);
    await this.#note(...forgotten.map(forgottenRecord), { type: "revert", mcSeqno });
    await this.#removeAfter(mcSeqno);
    const last = await this.#lastPair();
    this.changes.notify();
    return last;
  }

  async keepSnapshot(snapshot: NamedSnapshot): Promise<void> {
    await this.#note({ type: "snapshot", snapshot });
  }

  async forgetSnapshots(names: readonly string[]): Promise<void> {
    await this.#note(...names.map(forgottenRecord));
  }

  async records(last = this.#index.lastSeqno): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for (let seqno = 1; seqno <= last; seqno++) {
      const { position, edited } = valueAt(this.#index, seqno);
      if (edited.length > 0) records.push(encodeRecord({ type: "edited", mcSeqno: seqno, accounts: edited }));
      records.push(await this.#open.log.read(position));
    }
    return records;
  }

  async statesAt(mcSeqno: number): Promise<ChainRoots | undefined> {
    if (mcSeqno > this.#index.lastSeqno) return undefined;
    return unlessReverted(this.#open.states.get(mcSeqno));
  }

  async blocksAt(mcSeqno: number): Promise<ChainRoots | undefined> {
    return this.#index.get(mcSeqno) && (await unlessReverted(this.pair(mcSeqno)))?.roots;
  }

  idOf(mcSeqno: number): BlockIdExt {
    return valueAt(this.#index, mcSeqno).masterchain.id;
  }

  endLts(mcSeqno: number): EndLts | undefined {
    return this.#index.endLts(mcSeqno);
  }

  stepAt(workchain: number, lt: bigint): number | undefined {
    const block = this.#index.findByLt(workchain, lt);
    return block && block.startLt <= lt ? block.id.seqno : undefined;
  }

  async readElections(): Promise<string | undefined> {
    return this.#open.directory ? this.#open.directory.readElections() : this.#elections;
  }

  async writeElections(text: string): Promise<void> {
    if (this.#open.directory) await this.#open.directory.writeElections(text);
    else this.#elections = text;
  }

  /** Names of accounts; a chain in memory has none when it starts. */
  async readNames(): Promise<string | undefined> {
    return this.#open.directory?.readNames();
  }

  async writeNames(text: string): Promise<void> {
    await this.#open.directory?.writeNames(text);
  }

  /** Reads a step. Throws if it does not exist, and `RevertedError` if it is reverted meanwhile. */
  pair(seqno: number): Promise<ReadPair> {
    return this.#pairs.get(seqno);
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#opened?.log.close();
    await this.#opened?.directory?.release();
  }

  get #open(): OpenChain {
    if (!this.#opened) throw new Error("the chain store is not open");
    return this.#opened;
  }

  #recordsOf({ edited, ...pair }: BlockPair): LogRecord[] {
    const record = encodeRecord({ type: "pair", pair: withoutCells(pair) });
    if (!this.#open.directory || edited.length === 0) return [record];
    const { seqno } = pair.masterchain.id;
    return [encodeRecord({ type: "edited", mcSeqno: seqno, accounts: edited }), record];
  }

  /** Adds a step whose record is at this position of the log. */
  #add(position: number, { edited, ...pair }: BlockPair): void {
    this.#index.add(position, withoutCells(pair), edited);
    const { seqno } = pair.masterchain.id;
    const states = { masterchain: pair.masterchain.state, basechain: pair.basechain.state };
    this.#open.states.add(seqno, states);
    if (seqno % this.#limits.interval === 0) this.#writeSnapshot(seqno, states);
  }

  async #removeAfter(mcSeqno: number): Promise<void> {
    const dropped = this.#index.get(mcSeqno + 1);
    this.#index.truncate(mcSeqno);
    if (dropped) this.#open.log.forgetFrom?.(dropped.position);
    this.#open.states.truncate(mcSeqno);
    this.#pairs.truncate(mcSeqno);
    await this.#writing;
    await this.#open.directory?.dropSnapshotsAfter(mcSeqno);
  }

  /** Writes records that only a later process reads. */
  async #note(...records: ChainRecord[]): Promise<void> {
    if (this.#open.directory && records.length > 0) await this.#open.log.append(records.map(encodeRecord));
  }

  #statesAfter({ masterchain, basechain }: Genesis): StateStore {
    return new StateStore(
      { masterchain: masterchain.state, basechain: basechain.state },
      this.#limits,
      async (seqno) => (await this.pair(seqno)).roots,
    );
  }

  async #readPair(seqno: number): Promise<ReadPair> {
    const indexed = this.#index.get(seqno);
    if (!indexed) throw new RangeError(`there is no step ${seqno}`);
    const record = decodeRecord(await this.#open.log.read(indexed.position));
    if (record.type !== "pair") throw new Error(`the log has no step at ${indexed.position}`);
    const { pair } = record;
    const roots = {
      masterchain: parseBocRoot(pair.masterchain.boc, { verify: "later" }),
      basechain: parseBocRoot(pair.basechain.boc, { verify: "later" }),
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
      edited: valueAt(this.#index, seqno).edited,
      basechain: { ...pair.basechain, root: roots.basechain, state: states.basechain },
      masterchain: { ...pair.masterchain, root: roots.masterchain, state: states.masterchain },
    };
  }

  /** The newest valid snapshot of this chain. A revert may have left snapshots of removed blocks. */
  async #findSnapshot(): Promise<{ seqno: number; states: ChainRoots } | undefined> {
    for (const seqno of (await this.#open.directory?.snapshots()) ?? []) {
      if (seqno === 0 || seqno > this.#index.lastSeqno) continue;
      const [masterchain, basechain] = readStates(await this.#open.directory!.readSnapshot(seqno));
      const { roots } = await this.pair(seqno);
      if (!masterchain || !isStateAfter(roots.masterchain, masterchain)) continue;
      if (!basechain || !isStateAfter(roots.basechain, basechain)) continue;
      return { seqno, states: { masterchain, basechain } };
    }
    return undefined;
  }

  /** Runs in the background. */
  #writeSnapshot(seqno: number, { masterchain, basechain }: ChainRoots): void {
    const directory = this.#open.directory;
    if (!directory) return;
    this.#writing = this.#writing
      .then(() => directory.writeSnapshot(seqno, serializeBoc([masterchain, basechain])))
      .catch((error) => this.#fallback("devnet-snapshot", error));
  }
}

function readStates(boc: Uint8Array | undefined): Cell[] {
  return ifReadable(() => (boc ? parseBoc(boc, ownFileLimits) : [])) ?? [];
}

function isStateAfter(blockRoot: Cell, state: Cell): boolean {
  return bytesEqual(stateUpdate(blockRoot).ref(1).hash(0), state.hash(0));
}

function forgottenRecord(name: string): ChainRecord {
  return { type: "forgotten", name };
}

function withoutCells({ masterchain, basechain, ...pair }: Omit<BlockPair, "edited">): StoredPair {
  return { ...pair, masterchain: blockWithoutCells(masterchain), basechain: blockWithoutCells(basechain) };
}

function blockWithoutCells({ root: _, state: __, ...block }: CollatedBlock): StoredBlock {
  return block;
}
