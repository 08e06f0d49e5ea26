import { parseBocRoot } from "../../../shared/ton/cells/boc/boc.js";
import { foundIn } from "../../../shared/values/lookups.js";
import { RowSet } from "../../store/copy/row-set.js";
import { TokenEventRows } from "../../store/copy/token-event-rows.js";
import type { Lock, Sql, Transaction } from "../../store/database.js";
import { holdRows } from "../../store/queries/cluster/divided-clauses.js";
import { holdSlots } from "../../store/queries/slots/slots.js";
import { deleteMeta, readMeta, replaceMeta } from "../../store/queries/upkeep/index-meta.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import {
  lockMissingEvents,
  nextRequests,
  type RequestSpan,
  storedBlocks,
} from "../../store/queries/upkeep/missing-events.js";
import { requestOpcodes } from "../rows/token-request.js";
import type { BackfillProgress, RateMeter } from "../work/progress.js";
import { addTokenEvent } from "./token-events.js";

/** Messages processed per transaction. */
const defaultAtOnce = 1000;

type ReindexSetting = {
  database: Sql;
  /** The lock of this work. */
  lock: Pick<Lock, "confirm">;
  rate: RateMeter;
  onProgress: (progress: BackfillProgress) => void;
  atOnce?: number;
};

/**
 * Adds missing events of stored transactions of token contracts that were recognised later. Continues an aborted run,
 * and adds nothing twice. Blocks indexed meanwhile add their own events.
 */
export async function reindexTokens(
  { database, lock, rate, onProgress, atOnce = defaultAtOnce }: ReindexSetting,
  signal: AbortSignal,
): Promise<void> {
  const blocks = await storedBlocks(database);
  if (!blocks) return;
  const [reached] = await readMeta(database, ["reindexed_to"]);
  let after = reached ? BigInt(reached.value) : -1n;
  rate.begin(0);
  let first: number | undefined;
  for (;;) {
    signal.throwIfAborted();
    const span = await nextRequests(database, requestOpcodes, after, atOnce);
    if (!span) break;
    await database.transaction(async (transaction) => {
      await lock.confirm(transaction);
      await addMissing(transaction, after, span);
    });
    after = span.to;
    first ??= span.mc_seqno;
    rate.reached(span.mc_seqno - first);
    const missing = Math.max(0, blocks.last - span.mc_seqno);
    onProgress({
      blocks: blocks.last - blocks.first + 1,
      missing,
      blocksPerSec: rate.perSec,
      remainingSec: rate.remainingSec(missing),
    });
  }
  await database.transaction(async (transaction) => {
    await lock.confirm(transaction);
    await deleteMeta(transaction, "reindexed_to");
  });
}

async function addMissing(transaction: Transaction, after: bigint, { to }: RequestSpan): Promise<void> {
  if (await addMissingEvents(transaction, after, to)) await raiseIndexVersion(transaction);
  await replaceMeta(transaction, "reindexed_to", String(to));
}

/** Adds the events that are missing behind one lt, up to another one. Returns whether there were any. */
export async function addMissingEvents(
  transaction: Transaction,
  after: bigint,
  to: bigint,
): Promise<boolean> {
  const found = await lockMissingEvents(transaction, requestOpcodes, after, to);
  const slots = await holdSlots(transaction, after, to);
  await holdRows(transaction, "merge");
  const rows = await RowSet.for(transaction);
  const events = new TokenEventRows(
    rows,
    (lt) => foundIn(slots, ({ from_lt, to_lt }) => from_lt <= lt && lt < to_lt).from_lt,
  );
  for (const { t, m, b, w, n } of found) {
    // A body that was never stored yields no event.
    if (!m.source || !b) continue;
    addTokenEvent(
      { transaction: t, sender: m.source, body: parseBocRoot(b.body) },
      { wallet: w, item: n },
      events,
    );
  }
  const steps = rows.finish();
  if (steps.length > 0) await transaction.write(steps);
  return steps.length > 0;
}
