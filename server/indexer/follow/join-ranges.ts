import type { Sql } from "../../store/database.js";
import { holdSchema } from "../../store/queries/cluster/divided-clauses.js";
import { joinTraces } from "../../store/queries/traces/join-traces.js";
import { firstBoundary, mergeRange, raiseHeadEpoch } from "../../store/queries/upkeep/index-ranges.js";
import { raiseIndexVersion } from "../../store/queries/upkeep/index-version.js";
import { lockForTransaction } from "../../store/sql/locks.js";

/**
 * Joins neighbouring ranges and their traces, as if one worker had read both. A message sent in one range and received
 * in the other began a broken trace there, which becomes part of the sender's trace. Returns the number of joined
 * boundaries.
 */
export async function joinRanges(database: Sql): Promise<number> {
  for (let joined = 0; ; joined++) if (!(await joinFirst(database))) return joined;
}

function joinFirst(database: Sql): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await holdSchema(transaction);
    await lockForTransaction(transaction, "join");
    const boundary = await firstBoundary(transaction);
    if (!boundary) return false;
    // A worker at the head must reload its traces. Its next commit waits for this transaction, then fails.
    await raiseHeadEpoch(transaction, boundary.from, boundary.chain_to);
    await joinTraces(transaction, boundary);
    await mergeRange(transaction, boundary.from);
    await raiseIndexVersion(transaction);
    return true;
  });
}
