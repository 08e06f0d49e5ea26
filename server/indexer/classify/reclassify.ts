import { blockLts } from "../../../shared/ton/tlb/block-lt.js";
import { bytesOfBase64, bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { Lock, Sql, Transaction } from "../../store/database.js";
import { indexedEnds } from "../../store/queries/blocks/blocks.js";
import { completeUnsent, type TraceKey, tracesBehind } from "../../store/queries/traces/trace-pages.js";
import { deleteMeta, readMeta, replaceMeta } from "../../store/queries/upkeep/index-meta.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import type { TraceRow } from "../../store/tables/traces.js";
import type { BackfillProgress, RateMeter } from "../work/progress.js";
import { classifyStored } from "./stored-traces.js";
import type { TraceClassifier } from "./trace-classifier.js";

/** Traces that end in these masterchain blocks, inclusive; with a type, only those with an action of it. */
export type ReclassifyRange = { from: number; to: number; type?: string | undefined };

type ReclassifySetting = {
  database: Sql;
  /** The lock of this work. */
  lock: Pick<Lock, "confirm">;
  /** Classifiers that work in parallel on different traces. */
  classifiers: readonly TraceClassifier[];
  range: ReclassifyRange;
  rate: RateMeter;
  onProgress: (progress: BackfillProgress) => void;
  /** Traces per classifier and round. */
  atOnce?: number;
};

const defaultAtOnce = 200;

/**
 * Derives the actions of stored traces again, with the contracts known now. Answers contain the old actions until they
 * are replaced. Continues where an earlier run for the same range stopped.
 */
export async function reclassify(
  { database, lock, classifiers, range, rate, onProgress, atOnce = defaultAtOnce }: ReclassifySetting,
  signal: AbortSignal,
): Promise<void> {
  const confirmed = (work: (transaction: Transaction) => Promise<void>) =>
    database.transaction(async (transaction) => {
      await lock.confirm(transaction);
      await work(transaction);
    });
  const indexed = await blocksOf(database, range);
  let after = await readCursor(database, range);
  let first: number | undefined;
  rate.begin(0);
  // No index of this kind is divided among nodes: only devnets have such messages.
  if (!after && !(await database.isDivided()))
    await database.transaction((transaction) => completeUnsent(transaction, range, { blockLts }));
  for (;;) {
    signal.throwIfAborted();
    const traces = await tracesBehind(database, range, after, atOnce * classifiers.length);
    if (traces.length === 0) break;
    await Promise.all(
      shares(traces, classifiers.length).map((share, i) =>
        classifyStored(database, itemAt(classifiers, i), share),
      ),
    );
    after = itemAt(traces, -1);
    const cursor = after;
    await confirmed((transaction) => writeCursor(transaction, range, cursor));
    const { mc_seqno_end: reached } = itemAt(traces, -1);
    first ??= reached;
    rate.reached(reached - first);
    onProgress(progressAt(indexed, reached, rate));
  }
  await confirmed(async (transaction) => {
    await deleteMeta(transaction, "reclassification");
    await raiseIndexVersion(transaction);
  });
}

function shares(traces: readonly TraceRow[], count: number): TraceRow[][] {
  const size = Math.ceil(traces.length / count);
  return Array.from({ length: Math.ceil(traces.length / size) }, (_, i) =>
    traces.slice(i * size, (i + 1) * size),
  );
}

type Blocks = Pick<ReclassifyRange, "from" | "to">;

/** The blocks of a range that the index has. */
async function blocksOf(database: Sql, { from, to }: ReclassifyRange): Promise<Blocks> {
  const ends = await indexedEnds(database);
  return ends ? { from: Math.max(from, ends.first.seqno), to: Math.min(to, ends.last.seqno) } : { from, to };
}

function progressAt({ from, to }: Blocks, reached: number, rate: RateMeter): BackfillProgress {
  const missing = Math.max(0, to - reached);
  return {
    blocks: to - from + 1,
    missing,
    blocksPerSec: rate.perSec,
    remainingSec: rate.remainingSec(missing),
  };
}

type Cursor = { range: ReclassifyRange; end_lt: string; trace_id: string };

/** The cursor of an unfinished run for the same range. */
async function readCursor(database: Sql, range: ReclassifyRange): Promise<TraceKey | undefined> {
  const [row] = await readMeta(database, ["reclassification"]);
  const cursor = row && (JSON.parse(row.value) as Cursor);
  if (!cursor || JSON.stringify(cursor.range) !== JSON.stringify(range)) return undefined;
  return { end_lt: BigInt(cursor.end_lt), trace_id: bytesOfBase64(cursor.trace_id) };
}

async function writeCursor(
  transaction: Transaction,
  range: ReclassifyRange,
  { end_lt, trace_id }: TraceKey,
): Promise<void> {
  const cursor: Cursor = { range, end_lt: String(end_lt), trace_id: bytesToBase64(trace_id) };
  await replaceMeta(transaction, "reclassification", JSON.stringify(cursor));
}
