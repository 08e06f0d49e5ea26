import { setTimeout as wait } from "node:timers/promises";
import { SetupError } from "../../errors.js";
import type { Database, Lock, Queries, Sql, Transaction } from "../database.js";
import { isDeadlock, isLockTimeout, isNodeFailure } from "../database-errors.js";
import { onEachNode } from "../queries/cluster/each-node.js";
import { runScript } from "../queries/cluster/scripts.js";
import {
  confirmCopy,
  copyPartitions,
  dropCopies,
  dropReplaced,
  hasCopy,
  mayUseTablespace,
  OutdatedCopy,
  replacePartitions,
  type SplitTable,
  splitTables,
  tidyCopy,
  watchPartitions,
} from "../queries/slots/partition-copies.js";
import { mergeSlots, nextToMerge } from "../queries/slots/slot-merges.js";
import { lockForTransaction, lockNumbers } from "../sql/locks.js";
import { underLock } from "../under-lock.js";

const hourMs = 60 * 60 * 1000;

type ColdSlotsSetting = {
  /** Wall clock, milliseconds. */
  now: () => number;
  /** Gets what prevented a merge; it is tried again. */
  onError: (error: Error) => void;
  tablespace?: string | undefined;
};

/** Merges old slots in the background. */
export class ColdSlots {
  readonly #database: Database;
  readonly #sql: Sql;
  readonly #setting: ColdSlotsSetting;
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;
  #isFirst = true;

  constructor(database: Database, setting: ColdSlotsSetting) {
    this.#database = database;
    // A copy can take hours, and another connection cancels it.
    this.#sql = database.sql({ connections: 2 });
    this.#setting = setting;
  }

  /** Throws `SetupError` if the tablespace cannot be used. */
  async confirmTablespace(): Promise<void> {
    const { tablespace } = this.#setting;
    if (tablespace === undefined) return;
    const mayUse = await mayUseTablespace(this.#sql, tablespace);
    if (mayUse === undefined)
      throw new SetupError(
        `the database has no tablespace ${tablespace}, which --merged-tablespace names: create it, or name another one`,
      );
    if (!mayUse)
      throw new SetupError(
        `the user of the database may not create tables in the tablespace ${tablespace}: grant create on tablespace ${tablespace} to this user`,
      );
  }

  /** Call after rows were stored. Looks for slots to merge at the first call, and then once an hour. */
  stored(): void {
    const { now } = this.#setting;
    if (this.#running || now() < this.#nextAt) return;
    this.#nextAt = now() + hourMs;
    this.#running = this.#merge().finally(() => {
      this.#running = undefined;
    });
  }

  /** Cancels what is running. */
  async close(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #merge(): Promise<void> {
    const { signal } = this.#ending;
    try {
      await underLock(this.#database, lockNumbers.coldSlots, signal, async (held, lock) => {
        if (this.#isFirst) await dropUnfinished(this.#sql, lock);
        this.#isFirst = false;
        await mergeOldSlots(this.#sql, { signal: held, lock, tablespace: this.#setting.tablespace });
      });
    } catch (error) {
      if (!signal.aborted) this.#setting.onError(error as Error);
    }
  }
}

type MergeOptions = {
  signal?: AbortSignal;
  /** The lock of this work. */
  lock?: Pick<Lock, "confirm">;
  /** Where merged slots are stored. Default: with the other tables. */
  tablespace?: string | undefined;
  /** How long a lock is waited for. Others queue behind it meanwhile. */
  lockMs?: number;
  /** After the first attempt to get a lock, or the first look at what runs. Pauses double up to a limit. */
  pauseMs?: number;
  /** Attempts or looks before the work is left to a later call. */
  attempts?: number;
};

/** An hour at most. */
const defaults = { lockMs: 200, pauseMs: 2000, attempts: 60 };
const maxFactor = 32;

async function pause(number: number, { pauseMs = defaults.pauseMs, signal }: MergeOptions): Promise<void> {
  await wait(Math.min(2 ** number, maxFactor) * pauseMs, undefined, { signal });
}

/**
 * Merges old slots, four into one: first the slots themselves, with the directories that name them, then the partitions of
 * one table after the other. Readers are never refused anything, and writers of these slots wait only while directories are
 * merged. Each step leaves an index that is as good as before, so it can be stopped anywhere. Returns whether nothing is
 * left to be done now; else the rest should be tried later. One process at a time may call it.
 */
export async function mergeOldSlots(database: Sql, options: MergeOptions = {}): Promise<boolean> {
  for (;;) {
    // The step before has left replaced partitions, or a process that ended has.
    if (!(await locking(database, dropReplaced, options))) return false;
    const [split] = await splitTables(database);
    if (split) {
      if (!(await mergePartitions(database, split, options))) return false;
      continue;
    }
    const starts = await nextToMerge(database);
    if (!starts) return true;
    const merged = await locking(database, (transaction) => mergeSlots(transaction, starts), options);
    if (!merged) return false;
  }
}

/** Drops what a process left that was stopped while it copied. */
export async function dropUnfinished(database: Sql, lock?: MergeOptions["lock"]): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockForTransaction(transaction, "partitionCopy");
    await lock?.confirm(transaction);
    await dropCopies(transaction);
  });
}

/**
 * Makes one partition of several. A snapshot that is older than the copy has none of its rows, so the copy takes their
 * place only when all transactions have ended that are.
 */
async function mergePartitions(database: Sql, split: SplitTable, options: MergeOptions): Promise<boolean> {
  const isCopied = await locking(database, (transaction) => prepare(transaction, split), options);
  if (isCopied === undefined) return false;
  const copy = (transaction: Transaction) => copyPartitions(transaction, split, options.tablespace);
  if (!isCopied && !(await locking(database, copy, options))) return false;
  await confirmCopy(database, split);
  if (!(await olderHaveEnded(database, options))) return false;
  await tidyCopy(database, split, options.signal);
  try {
    const isDone = await locking(database, (transaction) => replacePartitions(transaction, split), options);
    return isDone === true;
  } catch (error) {
    if (error instanceof OutdatedCopy) return false;
    throw error;
  }
}

/** Whether there is a copy from before that can still be used. If not, its partitions are watched from now on. */
async function prepare(transaction: Transaction, split: SplitTable): Promise<boolean> {
  if (await hasCopy(transaction, split)) return true;
  await watchPartitions(transaction, split);
  return false;
}

async function olderHaveEnded(database: Sql, options: MergeOptions): Promise<boolean> {
  const { attempts = defaults.attempts } = options;
  let older = await runningTransactions(database);
  for (let i = 0; older.length > 0; i++) {
    if (i === attempts) return false;
    await pause(i, options);
    older = await stillRunning(database, older);
  }
  return true;
}

/**
 * Runs a transaction that waits for locks, again while it gets none. `undefined` if it never did. Only one process has such
 * a transaction at a time.
 */
async function locking<T>(
  database: Sql,
  work: (transaction: Transaction) => Promise<T>,
  options: MergeOptions,
): Promise<T | undefined> {
  const { lockMs = defaults.lockMs, attempts = defaults.attempts, signal } = options;
  for (let i = 0; i < attempts; i++) {
    if (i > 0) await pause(i - 1, options);
    try {
      return await database.transaction(
        async (transaction) => {
          await runScript(transaction, `set local lock_timeout = ${lockMs}`, settingNodes);
          await lockForTransaction(transaction, "partitionCopy");
          await options.lock?.confirm(transaction);
          return work(transaction);
        },
        { signal },
      );
    } catch (error) {
      // Transactions of several nodes may wait for each other. A node that has not given a lock in time has failed.
      if (!isLockTimeout(error) && !isDeadlock(error) && !isNodeFailure(error)) throw error;
    }
  }
  return undefined;
}

/**
 * Nodes of a cluster get the settings of the transaction. While foreign keys may lead to reference tables, Citus locks all
 * tables that are not divided when one is dropped, of which writers have some.
 */
const settingNodes = `
  set local citus.propagate_set_commands = 'local';
  set local citus.enable_local_reference_table_foreign_keys = off`;

/**
 * Lists the transactions that others run in this database, and those on all nodes of a divided index. A transaction that begins
 * later sees what is committed now. The list follows from the locks that transactions hold on themselves: pg_stat_activity
 * hides the snapshots of other roles, and which processes are of autovacuum.
 */
async function runningTransactions(queries: Queries): Promise<string[]> {
  const nodes = await onEachNode(
    queries,
    `select string_agg(l.virtualxid, ' ')
    from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.locktype = 'virtualxid' and l.mode = 'ExclusiveLock' and l.pid <> pg_backend_pid()
      and a.datid = (select oid from pg_database where datname = current_database())
      -- These read no rows for anybody, and may take hours.
      and not exists (select from pg_stat_progress_vacuum v where v.pid = l.pid)
      and not exists (select from pg_stat_progress_analyze v where v.pid = l.pid)`,
  );
  return nodes.flatMap(({ node, result }) =>
    result.split(" ").flatMap((id) => (id === "" ? [] : [`${node} ${id}`])),
  );
}

/** The transactions that still run. */
async function stillRunning(queries: Queries, ids: readonly string[]): Promise<string[]> {
  const running = new Set(await runningTransactions(queries));
  return ids.filter((id) => running.has(id));
}
