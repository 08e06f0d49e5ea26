import { handledLater, settled } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { type BackfillProgress, RateMeter } from "../../indexer/follow/progress.js";
import { retried } from "../../indexer/follow/retried.js";
import type { Database, Lock } from "../../store/database.js";
import { schemaLack } from "../../store/migrate/migrate.js";
import { type JobName, lockNumbers } from "../../store/queries/upkeep/locks.js";
import { underLock } from "../../store/under-lock.js";
import type { Environment } from "../environment.js";
import { FailureLog, logFailure } from "../failure-log.js";
import { claimIndex } from "../index/index-part.js";
import { type Context, createContext } from "../service/context.js";

/** A process that works on the index until it is done. */
export interface IndexJob {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<object>;
  /** Progress over masterchain blocks. */
  progress(): BackfillProgress | undefined;
  /** Resolves when the work is done. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Parts available to the work of a job. */
type IndexWork = {
  context: Context;
  database: Database;
  /** The lock of this work. */
  lock: Pick<Lock, "confirm">;
  rate: RateMeter;
  onProgress: (progress: BackfillProgress) => void;
};

/**
 * Creates the process of a command that needs the index and no chain; `listen` starts it. The work waits for a run of
 * another process, and is run again while the database is unavailable.
 */
export function createIndexJob(
  config: Config,
  environment: Environment,
  name: JobName,
  run: (work: IndexWork, signal: AbortSignal) => Promise<void>,
): IndexJob {
  const context = createContext(config, environment);
  const { closers, log, now } = context;
  const ending = new AbortController();
  const { signal } = ending;
  let progress: BackfillProgress | undefined;
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
      const onProgress = (reached: BackfillProgress) => {
        progress = reached;
      };
      const attempt = async () => {
        const sql = database.sql({ connections: 1 });
        const lack = await schemaLack(sql, database.emptyCommand, { isWriter: true });
        if (lack) throw new SetupError(`${lack}: start the process that writes it first`);
        const rate = new RateMeter(now);
        await underLock(database, lockNumbers[name], signal, (held, lock) =>
          run({ context, database, lock, rate, onProgress }, held),
        );
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
