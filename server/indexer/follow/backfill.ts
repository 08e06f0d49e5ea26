import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import type { LiteApi } from "../../../shared/ton/lite/lite-api.js";
import type { Fallback } from "../../observe/fallback.js";
import { pause } from "../../os/pause.js";
import type { Database, Sql } from "../../store/database.js";
import { Partitions } from "../../store/slots/partitions.js";
import { Statistics } from "../../store/slots/statistics.js";
import { maxPresent, presenceLock } from "../../store/sql/locks.js";
import { underLock } from "../../store/under-lock.js";
import { type GroupLimits, indexerConnections, RangeIndexer } from "../batch/range-indexer.js";
import { classifyLate } from "../classify/stored-traces.js";
import type { TraceClassifier } from "../classify/trace-classifier.js";
import type { Detection } from "../recognition/detection.js";
import { ChainUnits, type UnitSource } from "../units/chain-units.js";
import type { LookOutcome } from "../validators/validator-index.js";
import { isPassing } from "../work/failures.js";
import { beat, type Claim, ClaimLostError, claimNext, release, unfilledBlocks } from "../work/ranges.js";
import { joinRanges } from "./join-ranges.js";
import { seedZeroState } from "./zero-state.js";

type BackfillSetting = {
  database: Database;
  lite: LiteApi;
  edited?: UnitSource["edited"];
  /** The worker's unique name in the database. */
  worker: string;
  /** Wall clock, milliseconds; the system's by default. */
  now?: () => number;
  onError: (error: Error) => void;
  onStored?: (seqno: number) => void;
  /** Called when the validators' state could not be read, and when it was later read or given up. */
  onLook?: ((outcome: LookOutcome) => void) | undefined;
  /** Recognises contracts; without it their tables stay empty. */
  detection?: Detection | undefined;
  /** Classifies traces; without it there are no actions. */
  classifier?: TraceClassifier | undefined;
  limits?: GroupLimits;
  fallback?: Fallback;
};

const beatMs = 5000;
const idleMs = 1000;

/**
 * Fills planned ranges and joins neighbouring ones, in parallel with workers of other processes. Resolves when every
 * range is filled and joined.
 */
export async function backfill(setting: BackfillSetting, signal: AbortSignal): Promise<void> {
  setMaxListeners(0, signal);
  const store = setting.database.sql({ connections: indexerConnections });
  const partitions = new Partitions(store);
  const statistics = new Statistics(setting.database, {
    now: setting.now ?? Date.now,
    fallback: setting.fallback,
  });
  const filling = { ...setting, store, partitions, statistics };
  try {
    while (!signal.aborted && !(await fillWhilePresent(filling, signal))) await pause(idleMs, signal);
  } finally {
    await statistics.close();
  }
}

/** Shows that this process is there: if it stands still, others end its transactions. Returns whether all ranges are filled. */
async function fillWhilePresent(setting: Filling, signal: AbortSignal): Promise<boolean> {
  const lock = presenceLock("backfill", randomInt(maxPresent));
  try {
    return await underLock(setting.database, lock, signal, (held) => fillAll(setting, held));
  } catch (error) {
    if (signal.aborted) return false;
    if (!isPassing(error as Error)) throw error;
    setting.onError(error as Error);
    return false;
  }
}

/** Returns false when the signal fires before all ranges are filled. */
async function fillAll(setting: Filling, signal: AbortSignal): Promise<boolean> {
  const { store } = setting;
  while (!signal.aborted) {
    try {
      const claim = await claimNext(store, setting.worker);
      if (claim) await fill(claim, setting, signal);
      // Counted before joining: another worker that completes a range later may be killed before joining it.
      const unfilled = await unfilledBlocks(store);
      await joinRanges(store);
      // Includes ranges of an earlier process, which may have been killed between storing and classifying.
      if (setting.classifier) await classifyLate(store, setting.classifier, { signal });
      if (claim) continue;
      if (unfilled === 0) return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (error instanceof ClaimLostError) continue;
      if (!isPassing(error as Error)) throw error;
      setting.onError(error as Error);
    }
    // Other workers hold the remaining ranges, or the chain or database is unreachable.
    await pause(idleMs, signal);
  }
  return false;
}

type Filling = BackfillSetting & { store: Sql; partitions: Partitions; statistics: Statistics };

async function fill(claim: Claim, setting: Filling, signal: AbortSignal): Promise<void> {
  const { store, partitions, statistics, lite, edited, detection, classifier, limits, onStored, onLook } =
    setting;
  // One heartbeat at a time, so that waiting heartbeats use only one connection.
  let hasBeaten = true;
  const beating = setInterval(async () => {
    if (!hasBeaten) return;
    hasBeaten = false;
    await beat(store, claim).catch(setting.onError);
    hasBeaten = true;
  }, beatMs);
  try {
    const zeroAccounts = claim.from === 1 ? await seedZeroState(store, lite, claim) : [];
    const indexer = await RangeIndexer.open({
      database: store,
      isConcurrent: setting.database.isConcurrent,
      partitions,
      statistics,
      units: new ChainUnits({ lite, edited }),
      claim,
      zeroAccounts,
      onLook,
      detection,
      classifier,
      ...(limits && { limits }),
      ...(onStored && { onStored }),
    });
    await indexer.indexTo(claim.to, signal);
  } finally {
    clearInterval(beating);
    // A failed range is not released, so that the next claim takes another one first. Without a release the claim ends
    // with its heartbeats.
    if (signal.aborted) await release(store, claim).catch(setting.onError);
  }
}
