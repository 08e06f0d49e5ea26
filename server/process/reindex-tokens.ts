import { setTimeout as wait } from "node:timers/promises";
import type { Config } from "../config/settings.js";
import { SetupError } from "../errors.js";
import { isPassing } from "../indexer/failures.js";
import { type BackfillProgress, RateMeter } from "../indexer/progress.js";
import { reindexTokens } from "../indexer/tokens/reindex.js";
import { schemaLack } from "../store/migrate.js";
import { createContext } from "./context.js";
import type { Environment } from "./environment.js";
import { claimIndex } from "./index-part.js";

/** A process that adds missing token events to the index. */
export interface TokenReindex {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<object>;
  /** Progress over the stored masterchain blocks. */
  progress(): BackfillProgress | undefined;
  /** Resolves when no event is missing. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const retryMs = 1000;

/** Creates the process of `tonwire reindex-tokens`; `listen` starts it. It needs the database and no chain. */
export function createTokenReindex(config: Config, environment: Environment = {}): TokenReindex {
  const context = createContext(config, environment);
  const { closers, log, now } = context;
  const ending = new AbortController();
  const { signal } = ending;
  let progress: BackfillProgress | undefined;
  let finish: (work: Promise<void>) => void;
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  done.catch(() => {});
  return {
    done,
    progress: () => progress,
    async listen() {
      const claim = await claimIndex(context);
      const database = closers.add(await claim.open(signal), (each) => each.close());
      const sql = database.sql({ connections: 1 });
      const run = async () => {
        const lack = await schemaLack(sql);
        if (lack) throw new SetupError(`${lack}: start the process that writes it first`);
        const onProgress = (reached: BackfillProgress) => {
          progress = reached;
        };
        await reindexTokens({ database: sql, rate: new RateMeter(now), onProgress }, signal);
      };
      const work = untilItPasses(run, signal, (error) =>
        log.warn({ err: error }, "waiting for the database"),
      );
      closers.add(work, (each) => each.catch(() => {}));
      finish(work);
      return {};
    },
    async close() {
      ending.abort();
      await closers.close();
    },
  };
}

/** Runs again while the database is unavailable. */
async function untilItPasses(
  run: () => Promise<void>,
  signal: AbortSignal,
  onFailure: (error: Error) => void,
): Promise<void> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (signal.aborted || !isPassing(error as Error)) throw error;
      onFailure(error as Error);
      await wait(retryMs, undefined, { signal });
    }
  }
}
