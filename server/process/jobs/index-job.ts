import { handledLater, settled } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { type BackfillProgress, RateMeter } from "../../indexer/work/progress.js";
import { retried } from "../../indexer/work/retried.js";
import type { Database, Lock } from "../../store/database.js";
import { schemaLack } from "../../store/migrate/migrate.js";
import { type JobName, lockNumbers } from "../../store/sql/locks.js";
import { underLock } from "../../store/under-lock.js";
import { type Context, createContext } from "../context/context.js";
import type { Environment } from "../environment.js";
import { FailureLog, logFailure } from "../failure-log.js";
import { claimIndex } from "../index/index-part.js";

/** A process that works on the index until it is done. */
export interface IndexJob<Progress = BackfillProgress> {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<object>;
  /** By default over masterchain blocks. */
  progress(): Progress | undefined;
  /** Resolves when the work is done. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Parts available to the work of a job. */
type IndexWork<Progress> = {
  context: Context;
  database: Database;
  rate: RateMeter;
  onProgress: (progress: Progress) => void;
};

/**
 * Creates the process of a command that needs the index and no chain; `listen` starts it. The work is run again while the
 * database is unavailable.
 */
export function createIndexJob<Progress = BackfillProgress>(
  config: Config,
  environment: Environment,
  run: (work: IndexWork<Progress>, signal: AbortSignal) => Promise<void>,
): IndexJob<Progress> {
  const context = createContext(config, environment);
  const { closers, log, now } = context;
  const ending = new AbortController();
  const { signal } = ending;
  let progress: Progress | undefined;
  let finish: (work: Promise<void>) => void;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  handledLater(done);
  return {
    done,
    progress: () => progress,
    async listen() {
      const claim = await claimIndex(context);
      const database = closers.add(await claim.open(signal), (each) => each.close());
      const onProgress = (reached: Progress) => {
        progress = reached;
      };
      const attempt = async () => {
        const sql = database.sql({ connections: 1 });
        const lack = await schemaLack(sql, database.emptyCommand, { isWriter: true });
        if (lack) throw new SetupError(`${lack}: start the process that writes it first`);
        const rate = new RateMeter(now);
        await run({ context, database, rate, onProgress }, signal);
      };
      const failures = new FailureLog(signal, (error) =>
        logFailure(log, error, { failed: "the command waits and tries again" }),
      );
      const work = retried(attempt, signal, failures.failed);
      closers.add(work, settled);
      finish(work);
      return {};
    },
    async close() {
      ending.abort();
      await closers.close();
    },
  };
}

/** Work that one process at a time does: it waits for a run of another process. */
export function oneAtATime<Progress>(
  name: JobName,
  run: (work: IndexWork<Progress> & { lock: Pick<Lock, "confirm"> }, signal: AbortSignal) => Promise<void>,
): (work: IndexWork<Progress>, signal: AbortSignal) => Promise<void> {
  return (work, signal) =>
    underLock(work.database, lockNumbers[name], signal, (held, lock) => run({ ...work, lock }, held));
}
