import { randomUUID } from "node:crypto";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import { SetupError } from "../../errors.js";
import type { Database } from "../../store/database.js";
import { migrate } from "../../store/migrate/migrate.js";
import { type BlockSpan, rowsOfBlocks } from "../../store/queries/upkeep/block-rows.js";
import type { RangeOfIndex } from "../../store/queries/upkeep/index-ranges.js";
import { planRanges } from "../work/ranges.js";
import { backfill } from "./backfill.js";

/** Masterchain blocks that are indexed in one go, so that traces begin and end among them. */
const spanBlocks = 4;

/** Spans of about `blocks` stored blocks: the newest ones, and others at random (0 to 1); of all blocks if there are no more. */
export function sampleOf(ranges: readonly RangeOfIndex[], blocks: number, random: () => number): BlockSpan[] {
  const stored = ranges.filter(({ from, doneTo }) => doneTo >= from);
  const all = stored.reduce((sum, { from, doneTo }) => sum + doneTo - from + 1, 0);
  if (blocks >= all) return stored.flatMap(spansOf);
  const spans: BlockSpan[] = [];
  for (let taken = 0; taken < blocks; ) {
    const place = spans.length === 0 ? all - 1 : Math.floor(random() * all);
    const span = spanAt(stored, place, Math.min(spanBlocks, blocks - taken));
    taken += span.to - span.from + 1;
    if (!spans.some(({ from, to }) => span.from <= to && from <= span.to)) spans.push(span);
  }
  return spans;
}

function spansOf({ from, doneTo }: RangeOfIndex): BlockSpan[] {
  return Array.from({ length: Math.ceil((doneTo - from + 1) / spanBlocks) }, (_, at) => ({
    from: from + at * spanBlocks,
    to: Math.min(doneTo, from + (at + 1) * spanBlocks - 1),
  }));
}

/** The span that ends with the stored block at a place among all. */
function spanAt(stored: readonly RangeOfIndex[], place: number, blocks: number): BlockSpan {
  let left = place;
  for (const { from, doneTo } of stored) {
    const to = from + left;
    if (to <= doneTo) return { from: Math.max(from, to - blocks + 1), to };
    left -= doneTo - from + 1;
  }
  throw new RangeError("there are fewer blocks");
}

type Sample = {
  spans: readonly BlockSpan[];
  /** The index whose rows are compared. */
  index: Database;
  /** An empty one, for the rows as the chain has them. */
  scratch: Database;
  lite: LiteApi;
  onError: (error: Error) => void;
};

/**
 * Indexes blocks from the chain and compares their rows with those of an index. Throws `SetupError` for the first
 * difference. What is derived from them is not compared: see `compareDerivations`.
 */
export async function compareWithChain(
  { spans, index, scratch, lite, onError }: Sample,
  signal: AbortSignal,
): Promise<void> {
  const own = scratch.sql({ connections: 1 });
  const stored = index.sql({ connections: 1 });
  await migrate(own);
  for (const { from, to } of spans) await planRanges(own, { from, to, blocks: to - from + 1 });
  await backfill({ database: scratch, lite, worker: randomUUID(), onError }, signal);
  signal.throwIfAborted();
  for (const span of spans) {
    const wanted = await rowsOfBlocks(own, own, span);
    const found = await rowsOfBlocks(own, stored, span);
    for (const [table, rows] of Object.entries(wanted)) {
      const others = found[table] ?? [];
      if (rows.length === others.length && rows.every((row, at) => row === others[at])) continue;
      throw new SetupError(
        `the snapshot is false: the rows of ${table} differ from the chain in the masterchain blocks ${span.from} to ` +
          `${span.to}. Remove it with tonwire empty-index`,
      );
    }
  }
}
