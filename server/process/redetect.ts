import { setMaxListeners } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { handledLater, settled } from "../../shared/values/promises.js";
import type { Config } from "../config/settings.js";
import { ChainUnits } from "../indexer/chain-units.js";
import { isPassing } from "../indexer/failures.js";
import { confirmIdentity } from "../indexer/identity.js";
import { Redetection, type RedetectionProgress } from "../indexer/redetect.js";
import type { Database } from "../store/database.js";
import { migrate } from "../store/migrate.js";
import type { DatabaseClaim } from "../store/open.js";
import { openAdminEndpoint } from "./admin-endpoint.js";
import { type ChainSource, openSource } from "./chain-source.js";
import { type Context, createContext } from "./context.js";
import { openDetection } from "./contracts.js";
import type { Environment } from "./environment.js";
import { FailureLog, logFailure } from "./failure-log.js";
import { claimIndex } from "./index-part.js";
import { redetectionStatus } from "./status.js";

/** A process that recognises the contracts of an index. */
export interface RedetectionJob {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<{ adminUrl?: string }>;
  progress(): RedetectionProgress | undefined;
  /** Resolves when every account has been looked at. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

const retryMs = 1000;

/** Creates the process of `tonwire redetect`; `listen` starts it. */
export function createRedetection(config: Config, environment: Environment = {}): RedetectionJob {
  return new Job(config, environment);
}

class Job implements RedetectionJob {
  readonly done: Promise<void>;
  readonly #context: Context;
  readonly #ending = new AbortController();
  #redetection: Redetection | undefined;
  #finish: (work: Promise<void>) => void = () => {};
  readonly #failures: FailureLog;

  constructor(config: Config, environment: Environment) {
    // A devnet in the folder of the index must not go on while nobody indexes it.
    this.#context = createContext({ ...config, mining: "manual" }, environment);
    setMaxListeners(0, this.#ending.signal);
    const { log } = this.#context;
    this.#failures = new FailureLog(this.#ending.signal, (error) =>
      logFailure(log, error, {
        failed: "the redetection failed",
        waits: "the redetection waits and tries again",
      }),
    );
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    handledLater(this.done);
  }

  async listen(): Promise<{ adminUrl?: string }> {
    const { closers, health } = this.#context;
    const claim = await claimIndex(this.#context);
    const source = await openSource(this.#context);
    health.unavailableBy(() => source.unavailableReason());
    health.degradedBy(() => source.degradedReason());
    const details = () => {
      const progress = this.progress();
      return {
        redetection: progress ? redetectionStatus(progress) : null,
        failure: this.#failures.last ?? null,
      };
    };
    const adminUrl = await openAdminEndpoint(this.#context, { liteservers: source.liteservers, details });
    health.enter("ready");
    const work = this.#work(source, claim);
    closers.add(work, settled);
    this.#finish(work);
    return adminUrl === undefined ? {} : { adminUrl };
  }

  progress(): RedetectionProgress | undefined {
    return this.#redetection?.progress;
  }

  async close(): Promise<void> {
    this.#context.health.enter("stopping");
    this.#ending.abort();
    await this.#context.closers.close();
  }

  async #work(source: ChainSource, claim: DatabaseClaim): Promise<void> {
    const { closers, now } = this.#context;
    const { signal } = this.#ending;
    const database = closers.add(await claim.open(signal), (each) => each.close());
    while (!(await this.#prepare(source, database))) await wait(retryMs, undefined, { signal });
    this.#redetection = new Redetection({
      database,
      lite: source.api,
      units: new ChainUnits({ lite: source.api }),
      detection: await openDetection(this.#context, source),
      now,
      onError: this.#failures.failed,
    });
    await this.#redetection.run(signal);
  }

  /** Migrates the database. Returns false while the database or the chain is unavailable. */
  async #prepare({ api }: ChainSource, database: Database): Promise<boolean> {
    const { config, log } = this.#context;
    try {
      const { init: zeroState } = await api.getMasterchainInfo();
      await database.confirm({ writes: true }, this.#ending.signal);
      const sql = database.sql({ connections: 1 });
      await migrate(sql, { emptyCommand: database.emptyCommand, onProgress: (text) => log.info(text) });
      await confirmIdentity(sql, { network: config.network, zeroState });
      return true;
    } catch (error) {
      if (!isPassing(error as Error)) throw error;
      this.#failures.failed(error as Error);
      return false;
    }
  }
}
