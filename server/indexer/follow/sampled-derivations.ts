import { SetupError } from "../../errors.js";
import type { Database, Sql } from "../../store/database.js";
import { type TraceKey, tracesBehind } from "../../store/queries/traces/trace-pages.js";
import { type BlockSpan, readLts } from "../../store/queries/upkeep/block-rows.js";
import {
  actionsAsTexts,
  takeTokenEvents,
  tokenEventsAsTexts,
} from "../../store/queries/upkeep/derived-rows.js";
import { classifyStored } from "../classify/stored-traces.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import { addMissingEvents } from "../tokens/reindex.js";

/** Traces that are classified at once. */
const atOnce = 200;

type Sample = { spans: readonly BlockSpan[]; index: Database; classifier: TraceClassifier };

/**
 * Derives actions and token events of blocks again, from the blocks and contracts of an index that nobody reads yet. Throws
 * `SetupError` for a row that does not follow. Rows that are missing, as their contracts were recognised later, are added.
 */
export async function compareDerivations(
  { spans, index, classifier }: Sample,
  signal: AbortSignal,
): Promise<void> {
  const stored = index.sql({ connections: 1 });
  for (const span of spans) {
    signal.throwIfAborted();
    await compareTokenEvents(stored, span);
    await compareActions(stored, classifier, span);
  }
}

async function compareTokenEvents(stored: Sql, span: BlockSpan): Promise<void> {
  const lts = await readLts(stored, span);
  await stored.transaction(async (transaction) => {
    const before = await takeTokenEvents(transaction, span, lts);
    await addMissingEvents(transaction, lts.first - 1n, lts.last);
    confirm("token events", span, before, await tokenEventsAsTexts(transaction, span, lts));
  });
}

async function compareActions(stored: Sql, classifier: TraceClassifier, span: BlockSpan): Promise<void> {
  for (let after: TraceKey | undefined; ; ) {
    const traces = await tracesBehind(stored, span, after, atOnce);
    if (traces.length === 0) return;
    const before = await actionsAsTexts(stored, traces);
    await classifyStored(stored, classifier, traces);
    confirm("actions", span, before, await actionsAsTexts(stored, traces));
    after = traces.at(-1);
  }
}

function confirm(kind: string, { from, to }: BlockSpan, before: string[], after: string[]): void {
  const derived = new Set(after);
  if (before.every((row) => derived.has(row))) return;
  throw new SetupError(
    `the ${kind} of the snapshot in the masterchain blocks ${from} to ${to} do not follow from its blocks and contracts: ` +
      "they are false, or another version derived them. Remove it with tonwire empty-index; if you trust its source, let it " +
      "run tonwire reclassify with this version, and export again",
  );
}
