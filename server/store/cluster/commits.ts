import SQL, { raw } from "sql-template-tag";
import { ServiceError } from "../../errors.js";
import { pause } from "../../os/pause.js";
import { untilAborted } from "../../os/until-aborted.js";
import type { Commits, IndexVersion, Queries, Sql, SteadyOptions } from "../database.js";
import { BehindError, isDeadlock, isUnanswered, queryTimeout } from "../database-errors.js";
import { readIndexVersion } from "../queries/upkeep/index-version.js";
import { oneRow } from "../sql/one-row.js";
import { dividedTogether } from "./divided-tables.js";
import { FreshLook } from "./fresh-look.js";
import { leastVersion } from "./seen-version.js";

// The nodes of a cluster commit one after the other: the coordinator first, then the others, of which one may have to be
// restarted before it does. No snapshot spans nodes, so a reader may see a commit on one of them and not on another one. Every
// commit of a divided index that changes what readers see
// - holds a lock of the coordinator until its nodes have been told to commit,
// - then counts itself in a sequence, which all transactions see at once,
// - and has raised the version of the index, of which each node has a copy.
// A moment is a state of the sequence in which no commit goes on and all nodes have the same version. If the sequence is the
// same after an answer, no node has committed anything meanwhile, so all of its snapshots see the same commits: whichever
// nodes and connections have read it. A standby of a node reads from the other nodes themselves, but its own part from what it
// has replayed, so its copy of the version must be that of the moment.
//
// A copy of the version speaks for its node because a commit is one transaction there: writers have one connection to each node.

/** Number of the advisory lock that writers of a divided index hold while its nodes commit. */
export const commitLock = 7_461_010;

/** The sequence that counts the commits of a divided index that have begun. The coordinator alone has it. */
export const commitSequence = "index_commits";

/** Whether the index is divided among the nodes of a Citus cluster. Every node knows it. */
export const isDividedSql = `to_regclass('${dividedTogether[0]!.marks}') is not null`;

/** How often an answer is read while commits go on, before it holds them up. */
const freeReads = 3;
/** How long a node may take for a commit that it was told to make, in milliseconds. */
const lateMs = 2000;
/** How long to wait before the nodes are asked for their versions again, in milliseconds. */
const lateLookMs = 20;

type Moment = { readonly begun: string; readonly version: number };

type Read<T> = (onVersion: (version: IndexVersion) => void) => Promise<T>;

/** The commits of a divided index, as its coordinator counts them. */
export class NodeCommits implements Commits {
  readonly #sql: Sql;
  readonly #begun: FreshLook<string>;
  #moment: Moment | undefined;
  #looking: Promise<Moment> | undefined;

  /** `sql`: connections to the coordinator that no answer is read on. */
  constructor(sql: Sql) {
    this.#sql = sql;
    this.#begun = new FreshLook(() => lastBegun(sql));
  }

  /**
   * Reads again if a commit came in between, and at last without further ones until the read has ended. An error may follow
   * from rows that did not fit together, or from a new slot, whose partitions the nodes attach one after the other.
   */
  async steadily<T>(read: Read<T>, { signal, isOver }: SteadyOptions): Promise<T> {
    for (let reads = 0; reads < freeReads; reads++) {
      const moment = await untilAborted(this.#now(), signal, queryTimeout);
      const { result, at } = await readAt(moment, read);
      const error: unknown = result.status === "rejected" ? result.reason : undefined;
      if (error !== undefined && (isOver() || (isUnanswered(error) && !isDeadlock(error)))) throw error;
      // Commits are not held up for a standby.
      if (at < moment.version) throw new BehindError();
      if (isDeadlock(error)) break;
      const begun = await untilAborted(this.#begun.ask(), signal, queryTimeout);
      if (at === moment.version && begun === moment.begun) return resultOf(result);
    }
    return this.#held(async (moment) => {
      const { result, at } = await readAt(moment, read);
      if (result.status === "fulfilled" && at < moment.version) throw new BehindError();
      return resultOf(result);
    }, signal);
  }

  async heard(): Promise<void> {
    // Nothing was read from an index that is not divided.
    if (!this.#moment) return;
    try {
      await this.#now();
    } catch {
      // The next read finds out by itself, and reports it.
    }
  }

  /** The moment that lasts now. */
  async #now(): Promise<Moment> {
    const begun = await this.#begun.ask();
    if (this.#moment?.begun !== begun) this.#moment = await this.#look();
    return this.#moment;
  }

  /** Waits for the next moment. Callers share one look: what it finds lasts at its end. */
  #look(): Promise<Moment> {
    this.#looking ??= this.#held((moment) => Promise.resolve(moment)).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** Runs work in a moment that lasts until it has ended. */
  #held<T>(work: (moment: Moment) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#sql.transaction(
      async (transaction) => {
        await transaction.query(SQL`select pg_advisory_xact_lock_shared(${commitLock})`);
        const moment = await this.#whole(transaction, signal);
        return work(moment);
      },
      { signal },
    );
  }

  /** Waits until all nodes have the last commit: one that was not reached commits as soon as it is. */
  async #whole(transaction: Queries, signal: AbortSignal | undefined): Promise<Moment> {
    const begun = await lastBegun(transaction);
    const end = performance.now() + lateMs;
    for (let isOver = false; !isOver; isOver = performance.now() > end || signal?.aborted === true) {
      const [{ n: version }, least] = await Promise.all([
        readIndexVersion(transaction),
        leastVersion(transaction),
      ]);
      if (version === least) return { begun, version };
      await pause(lateLookMs, signal);
    }
    throw lacking();
  }
}

async function lastBegun(queries: Queries): Promise<string> {
  const { begun } = await oneRow<{ begun: bigint }>(
    queries,
    SQL`select last_value as begun from ${raw(commitSequence)}`,
  );
  return String(begun);
}

async function readAt<T>(moment: Moment, read: Read<T>) {
  let at = moment.version;
  const [result] = await Promise.allSettled([
    read(({ n }) => {
      at = n;
    }),
  ]);
  return { result, at };
}

function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

function lacking(): ServiceError {
  return new ServiceError("unavailable", "database is not available", {
    cause: new Error("a node of the cluster does not have the last commit yet"),
  });
}
