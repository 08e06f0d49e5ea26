import { ServiceError } from "../../errors.js";
import { commitLock, commitSequence } from "../cluster/commits.js";
import { isDeadlock } from "../database-errors.js";

// The nodes of a cluster commit one after the other: the coordinator first, then the others. A snapshot that spans a commit may
// see it on one node and not on another one. Writers hold a lock from before a commit until all nodes have it, and note the
// version that it makes in a sequence, which all transactions see at once.

/** The version of the snapshot, that of the last commit that has begun, and whether none is going on. */
export const commitsSql = `
  (select n from index_version) || ' ' || (select last_value from ${commitSequence}) || ' ' ||
  case when pg_try_advisory_lock_shared(${commitLock}) then pg_advisory_unlock_shared(${commitLock})::text else 'false' end`;

export const lastCommitSql = `select last_value as last from ${commitSequence}`;

/** `commits`: the columns above, as the snapshot began. `last`: the last commit that has begun by now. */
export function isSteady(commits: string, last: string): boolean {
  const [version, begun, isFree] = commits.split(" ");
  return version === begun && begun === last && isFree === "true";
}

/** A connection, as far as snapshots need it. */
type Watched = {
  readonly broken: Error | undefined;
  wasSteady(): Promise<boolean>;
  script(text: string): Promise<void>;
};

/**
 * Runs a snapshot that sees commits on all nodes or on none: again, if a commit came in between, and then without further
 * ones until it has ended. An error of the first run may follow from rows that did not fit together, or from a new slot, whose
 * partitions the nodes attach one after the other.
 */
export async function steadily<T>(connection: Watched, run: (isWatched: boolean) => Promise<T>): Promise<T> {
  const [first] = await Promise.allSettled([run(true)]);
  const error: unknown = first.status === "rejected" ? first.reason : undefined;
  const isOver = connection.broken || isTimeout(error);
  if (!isOver && (isDeadlock(error) || !(await connection.wasSteady()))) {
    await connection.script(`select pg_advisory_lock_shared(${commitLock})`);
    try {
      return await run(false);
    } finally {
      if (!connection.broken) await connection.script(`select pg_advisory_unlock_shared(${commitLock})`);
    }
  }
  if (first.status === "rejected") throw first.reason;
  return first.value;
}

function isTimeout(error: unknown): boolean {
  return error instanceof ServiceError && error.code === "timeout";
}
