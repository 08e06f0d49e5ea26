import { isDeepStrictEqual } from "node:util";
import { bytesToHex } from "../../../shared/values/bytes.js";
import { groupBy } from "../../../shared/values/groups.js";
import { itemAt } from "../../../shared/values/lookups.js";
import { SetupError } from "../../errors.js";
import type { Database, Sql } from "../../store/database.js";
import { type TraceKey, tracesBehind } from "../../store/queries/traces/trace-pages.js";
import { type BlockSpan, type Lts, readLts } from "../../store/queries/upkeep/block-rows.js";
import {
  actionsOfTraces,
  takeTokenEvents,
  tokenEventsAsTexts,
} from "../../store/queries/upkeep/derived-rows.js";
import type { ActionRow } from "../../store/tables/actions.js";
import { storedRows } from "../classify/stored-traces.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import { keyOf } from "../hash-key.js";
import { addMissingEvents } from "../tokens/reindex.js";

/** Traces that are classified at once. */
const atOnce = 200;
/** The part of the traces that may have other actions: contracts have changed since, such as the prices of sales. */
const maxOther = 0.1;

type Sample = { spans: readonly BlockSpan[]; index: Database; classifier: TraceClassifier };

/** Traces with actions that were derived again, and those of them that have others in the index. */
export type DerivedTraces = { readonly traces: number; readonly others: number };

/**
 * Derives token events and actions of blocks again, from the blocks and contracts of an index that nobody reads yet. Throws
 * `SetupError` for a token event that does not follow, and if many traces have other actions. Token events that are missing, as their
 * contracts were recognised later, are added.
 */
export async function compareDerivations(
  { spans, index, classifier }: Sample,
  signal: AbortSignal,
): Promise<DerivedTraces> {
  const stored = index.sql({ connections: 1 });
  let [traces, others] = [0, 0];
  for (const span of spans) {
    signal.throwIfAborted();
    const lts = await readLts(stored, span);
    await compareTokenEvents(stored, span, lts);
    const found = await compareActions(stored, classifier, { ...span, lts });
    traces += found.traces;
    others += found.others;
  }
  if (others > maxOther * traces)
    throw new SetupError(
      `the snapshot is false, or another version has derived its actions: those of ${others} of ${traces} traces in the sampled ` +
        "blocks do not follow from its blocks and contracts. Remove it with tonwire empty-index; if you trust its source, let it run " +
        "tonwire reclassify with this version, and export again",
    );
  return { traces, others };
}

async function compareTokenEvents(stored: Sql, span: BlockSpan, lts: Lts): Promise<void> {
  await stored.transaction(async (transaction) => {
    const before = await takeTokenEvents(transaction, span, lts);
    await addMissingEvents(transaction, lts.first - 1n, lts.last);
    const derived = new Set(await tokenEventsAsTexts(transaction, span, lts));
    const wrong = before.find((row) => !derived.has(row));
    if (wrong === undefined) return;
    throw new SetupError(
      `the snapshot is false: a row of ${wrong.split(" ", 1)[0]} in the masterchain blocks ${span.from} to ${span.to} does not ` +
        "follow from its blocks and contracts. Remove it with tonwire empty-index",
    );
  });
}

async function compareActions(
  stored: Sql,
  classifier: TraceClassifier,
  span: BlockSpan & { lts: Lts },
): Promise<DerivedTraces> {
  let [found, others] = [0, 0];
  for (let after: TraceKey | undefined; ; ) {
    const traces = await tracesBehind(stored, span, after, atOnce);
    if (traces.length === 0) return { traces: found, others };
    const known = groupBy(await actionsOfTraces(stored, traces), ({ trace_id }) => keyOf(trace_id));
    const rows = await storedRows(stored, traces);
    const derived = await classifier.classify(stored, rows, { horizon: "end of trace" });
    for (const [at, { trace_id }] of traces.entries()) {
      const actions = known.get(keyOf(trace_id)) ?? [];
      // Those of the newest traces may not be derived yet.
      if (actions.length === 0) continue;
      found++;
      if (!areSame(actions, itemAt(derived, at).actions)) others++;
    }
    after = itemAt(traces, -1);
  }
}

function areSame(some: readonly ActionRow[], others: readonly ActionRow[]): boolean {
  const inOrder = (rows: readonly ActionRow[]) =>
    new Map(rows.map((row) => [bytesToHex(row.action_id), plain(row)]));
  return some.length === others.length && isDeepStrictEqual(inOrder(some), inOrder(others));
}

/** Without members that are absent, which databases and JSON have as null. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Uint8Array) return bytesToHex(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  return Object.fromEntries(members.map(([name, each]) => [name, plain(each)]));
}
