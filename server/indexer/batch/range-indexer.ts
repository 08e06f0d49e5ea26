import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { takeFirst } from "../../../shared/values/lookups.js";
import { handledLater } from "../../../shared/values/promises.js";
import { RowSet } from "../../store/copy/row-set.js";
import type { Queries, Sql, Steps, Transaction } from "../../store/database.js";
import { writeAndSettle } from "../../store/queries/accounts/contracts.js";
import { masterchainRootHash } from "../../store/queries/blocks/masterchain-blocks.js";
import { holdSchema } from "../../store/queries/cluster/divided-clauses.js";
import { moveTraces } from "../../store/queries/traces/account-traces.js";
import { deleteEdges, readOpenTraces } from "../../store/queries/traces/open-traces.js";
import { releaseTraces } from "../../store/queries/upkeep/awaited-contracts.js";
import { noEnd } from "../../store/queries/upkeep/index-ranges.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { delayTraces } from "../../store/queries/upkeep/late-events.js";
import type { Partitions } from "../../store/slots/partitions.js";
import type { Statistics } from "../../store/slots/statistics.js";
import type { TraceRow } from "../../store/tables/traces.js";
import { classifyBatch } from "../classify/batch-actions.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import type { FinalAccountState } from "../decode/account.js";
import { keyOf } from "../hash-key.js";
import type { Detection, Found } from "../recognition/detection.js";
import type { MethodsByCode } from "../recognition/detector.js";
import { detectEnded } from "../recognition/ended-contracts.js";
import { OwnerLinks } from "../recognition/owner-links.js";
import { addQueuedCodes, queueDeferred } from "../recognition/queued-accounts.js";
import type { BatchBudget } from "../recognition/recognition-budget.js";
import { RowBatch } from "../rows/row-batch.js";
import { RecognisedTokens } from "../tokens/recognised-tokens.js";
import { addTokenEvents } from "../tokens/token-events.js";
import { TraceAssembler, type TraceChanges } from "../traces/trace-assembler.js";
import type { ChainUnits, MasterchainUnit } from "../units/chain-units.js";
import { type LookOutcome, ValidatorIndex } from "../validators/validator-index.js";
import { advance, type Claim, ClaimLostError } from "../work/ranges.js";
import { findMissingCells, holdAccounts } from "./missing-cells.js";
import { PoolIndex } from "./pool-index.js";
import { addLateRows, addTraceRows } from "./store-batch.js";

/** Rows of a batch still to be written, the recognised accounts, and deferred work. */
type Derived = {
  rows: Steps;
  looked: Uint8Array[];
  budget: BatchBudget | undefined;
  /** Traces to classify again. */
  waiting: readonly TraceRow[];
};
type Recognised = Pick<Derived, "looked" | "budget"> & { found: Found[] };

export type GroupLimits = { blocks: number; rows: number };
const defaultLimits: GroupLimits = { blocks: 100, rows: 10_000 };
/** Masterchain blocks read ahead of the current one. */
const readAhead = 16;
const longestReadMs = 60_000;
/**
 * Connections of the indexer of a concurrent database: one writes, one reads meanwhile, and the third serves others.
 */
export const indexerConnections = 3;

/** The chain has forked: a block does not refer to the stored block before it. */
export class ForkError extends Error {
  override readonly name = "ForkError";
}

export type RangeSetting = {
  /** Has `indexerConnections` connections. */
  database: Sql;
  /** Whether the database answers queries during an open transaction. Default: false. */
  isConcurrent?: boolean;
  partitions: Partitions;
  statistics?: Statistics;
  units: Pick<ChainUnits, "read" | "account" | "config" | "blockBefore" | "timeSlice">;
  claim: Claim;
  /** Accounts of the zero state, whose contracts no block may ever change; for the range of block 1. */
  zeroAccounts?: readonly FinalAccountState[];
  /** Without it no contracts are recognised. */
  detection?: Detection | undefined;
  /** Without it no traces are classified. */
  classifier?: TraceClassifier | undefined;
  limits?: GroupLimits;
  /** Called after each commit with the last masterchain block that is stored. */
  onStored?: (seqno: number) => void;
  /** Called when the validators' state could not be read, and when it was later read or given up. */
  onLook?: ((outcome: LookOutcome) => void) | undefined;
};

/** Fills a claimed range in ascending order. Unusable after an error, because only the database is consistent then. */
export class RangeIndexer {
  readonly #setting: RangeSetting;
  readonly #limits: GroupLimits;
  /** Reads during writes of a batch. */
  readonly #queries: Queries;
  readonly #traces: TraceAssembler;
  readonly #links = new OwnerLinks();
  readonly #validators: ValidatorIndex;
  readonly #pools: PoolIndex | undefined;
  /** Accounts of the zero state, until block 1 is stored. */
  #zeroAccounts: readonly FinalAccountState[];
  /** The stored block that the next one must refer to; `undefined` at the start of the range. */
  #previousRootHash: Uint8Array | undefined;
  #next: number;

  private constructor(
    setting: RangeSetting,
    traces: TraceAssembler,
    previousRootHash: Uint8Array | undefined,
  ) {
    this.#setting = setting;
    this.#limits = setting.limits ?? defaultLimits;
    this.#traces = traces;
    this.#previousRootHash = previousRootHash;
    const { database, isConcurrent, units, claim } = setting;
    this.#queries = isConcurrent ? withLimit(database) : database;
    const isFirst = claim.doneTo < claim.from;
    this.#validators = new ValidatorIndex(units, { isFirst, onLook: setting.onLook });
    this.#pools = setting.detection && new PoolIndex(units, setting.detection.pools);
    this.#next = claim.doneTo + 1;
    this.#zeroAccounts = setting.zeroAccounts ?? [];
  }

  static async open(setting: RangeSetting): Promise<RangeIndexer> {
    const { database, claim } = setting;
    const open = await readOpenTraces(database, claim.chainFrom, claim.doneTo);
    const previous = await masterchainRootHash(database, claim.doneTo);
    return new RangeIndexer(setting, new TraceAssembler(open), previous);
  }

  /** The next masterchain block to be stored. */
  get next(): number {
    return this.#next;
  }

  /** Whether a head `id` is below the stored head, or another block at its seqno. */
  contradicts({ seqno, rootHash }: BlockIdExt): boolean {
    if (seqno !== this.#next - 1 || !this.#previousRootHash) return seqno < this.#next - 1;
    return !bytesEqual(rootHash, this.#previousRootHash);
  }

  /** Stores all blocks up to a masterchain block. Later blocks are read and decoded while earlier ones are stored. */
  async indexTo(seqno: number, signal: AbortSignal): Promise<void> {
    const { database } = this.#setting;
    let batch = new RowBatch(await RowSet.for(database));
    let storing = Promise.resolve();
    try {
      for await (const unit of this.#unitsTo(seqno, signal)) {
        await this.#add(unit, batch);
        const isFull = batch.size >= this.#limits.blocks || batch.rowCount >= this.#limits.rows;
        if (!isFull && unit.seqno < seqno) continue;
        await storing;
        storing = this.#store(batch, this.#traces.changes());
        handledLater(storing);
        batch = new RowBatch(await RowSet.for(database));
      }
    } finally {
      await storing;
    }
  }

  async #add(unit: MasterchainUnit, batch: RowBatch): Promise<void> {
    if (this.#previousRootHash && !bytesEqual(unit.previousRootHash, this.#previousRootHash))
      throw new ForkError(`masterchain block ${unit.seqno} does not follow the stored block before it`);
    this.#previousRootHash = unit.id.rootHash;
    this.#next = unit.seqno + 1;
    const { timeSlice } = this.#setting.units;
    await this.#traces.take(
      unit.blocks.flatMap(({ transactions }) => transactions),
      unit.seqno,
      timeSlice,
    );
    await batch.add(unit, timeSlice);
    await this.#validators.add(unit, batch);
    await this.#pools?.add(unit, this.#validators.elector, batch.rows);
  }

  async *#unitsTo(last: number, signal: AbortSignal): AsyncGenerator<MasterchainUnit> {
    const { units } = this.#setting;
    const reading: Promise<MasterchainUnit>[] = [];
    for (let seqno = this.#next, wanted = seqno; seqno <= last; seqno++) {
      for (; wanted <= last && wanted < seqno + readAhead; wanted++) {
        reading.push(handledLater(units.read(wanted, { signal })));
      }
      yield await takeFirst(reading);
      signal.throwIfAborted();
    }
  }

  async #store(batch: RowBatch, traces: TraceChanges): Promise<void> {
    const { database, isConcurrent, partitions, statistics, units, claim, detection, onStored } =
      this.#setting;
    batch.chain.spanTraces(traces.traces);
    const { extent, last } = batch;
    if (extent) {
      if (await partitions.cover(extent.from, extent.to)) statistics?.slotCreated();
      await partitions.widen(extent);
    }
    // Accounts edited on a devnet have an earlier transaction's lt.
    for (const { lt } of batch.accountStates.values())
      if (!extent || lt < extent.from) await partitions.cover(lt, lt);
    const relied = await findMissingCells(database, batch, units);
    await detection?.resolveLibraries(batch.codes);
    const methods = await addLateRows(batch, traces, this.#placing);
    const derived = isConcurrent ? undefined : await this.#derive(batch, traces, methods);
    await database.transaction(async (transaction) => {
      if (isConcurrent) await holdSchema(transaction);
      await advance(transaction, claim, last.seqno);
      if (extent && !(await partitions.hold(transaction, extent)))
        throw new ClaimLostError("slots have been merged meanwhile");
      const { rows, looked, budget, waiting } =
        derived ?? (await this.#deriveWhileWriting(transaction, batch, traces, methods));
      await holdAccounts(transaction, batch.accounts.values(), relied);
      await moveTraces(transaction, traces.moved);
      await writeAndSettle(transaction, rows, looked);
      if (budget) await queueDeferred(transaction, budget, { from: batch.firstSeqno, to: last.seqno });
      if (waiting.length > 0) await wait(transaction, waiting, claim);
      await deleteEdges(transaction, traces.closed);
      await raiseIndexVersion(transaction);
    });
    claim.doneTo = last.seqno;
    this.#zeroAccounts = [];
    statistics?.stored(batch.rowCount);
    onStored?.(last.seqno);
  }

  /**
   * Writes most rows while the others are derived. The derivation reads only rows stored before the batch. Only rows that
   * no other writer touches are written this early, so workers do not block each other.
   */
  async #deriveWhileWriting(
    transaction: Transaction,
    batch: RowBatch,
    traces: TraceChanges,
    methods: MethodsByCode,
  ): Promise<Derived> {
    const written = transaction.write(batch.rows.finishUnmerged());
    const [derived] = await allDone(this.#derive(batch, traces, methods), written);
    return derived;
  }

  /** Adds the rows of contracts, token events, actions and traces. Returns all rows still to be written. */
  async #derive(batch: RowBatch, traces: TraceChanges, methods: MethodsByCode): Promise<Derived> {
    const { units, claim, classifier } = this.#setting;
    const { looked, found, budget } = await this.#recognise(batch, methods);
    await addTokenEvents(batch, new RecognisedTokens(found), this.#placing);
    const queued = new Set(budget?.deferred.map(({ account: { state } }) => keyOf(state.account)));
    const known = { found, queued, chainFrom: claim.chainFrom };
    const classified = classifier
      ? await classifyBatch(classifier, this.#queries, batch, traces.traces, known)
      : { traces: traces.traces, waiting: [] };
    await addTraceRows(batch.rows, { ...traces, traces: classified.traces }, units.timeSlice);
    batch.validators.addTo(batch.rows);
    return { rows: batch.rows.finish(), looked, budget, waiting: classified.waiting };
  }

  /** Slot placement of rows, and the time slice for yielding. */
  get #placing() {
    const { partitions, units } = this.#setting;
    return { timeSlice: units.timeSlice, slotOf: (lt: bigint) => partitions.slotOf(lt) };
  }

  /** Adds the rows of contracts, within the time budget. */
  async #recognise(batch: RowBatch, methods: MethodsByCode): Promise<Recognised> {
    const { detection } = this.#setting;
    if (!detection) return { looked: [], found: [], budget: undefined };
    const { accounts, rows, last } = batch;
    const unchanged = this.#zeroAccounts.filter(({ state }) => !accounts.has(keyOf(state.account)));
    const all = [...accounts.values(), ...unchanged];
    const budget = detection.budget.forBatch();
    const seen = { block: last.id, accounts: all, methods, links: this.#links, budget };
    const found = await detection.detect(this.#queries, seen, rows);
    found.push(...(await detectEnded(detection, this.#queries, { batch, methods, found, budget })));
    addQueuedCodes(rows, budget.deferred);
    return { looked: all.map(({ state }) => state.account), found, budget };
  }
}

/** Defers the events of reclassified traces if subscribers may receive their blocks. */
async function wait(transaction: Transaction, traces: readonly TraceRow[], { to }: Claim): Promise<void> {
  if (to === noEnd) await delayTraces(transaction, traces);
  await releaseTraces(
    transaction,
    traces.map(({ trace_id }) => trace_id),
  );
}

/** Rejects as `Promise.all` does, but only after both have settled. */
async function allDone<A, B>(a: Promise<A>, b: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([a, b]);
  return Promise.all([a, b]);
}

/** Reads with a timeout, because a writer that they wait for may itself wait for the open transaction. */
function withLimit(database: Sql): Queries {
  return {
    query: (statement) => database.query(statement, { signal: AbortSignal.timeout(longestReadMs) }),
    isDivided: () => database.isDivided(),
  };
}
