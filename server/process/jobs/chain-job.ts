import { setMaxListeners } from "node:events";
import { handledLater, settled } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import { claimIdentity, confirmIdentity } from "../../indexer/follow/identity.js";
import { retried } from "../../indexer/work/retried.js";
import type { Database } from "../../store/database.js";
import { migrate } from "../../store/migrate/migrate.js";
import type { DatabaseClaim } from "../../store/open.js";
import { type Context, createContext } from "../context/context.js";
import type { Environment } from "../environment.js";
import { FailureLog, logFailure } from "../failure-log.js";
import { claimIndex } from "../index/index-part.js";
import { type ChainSource, openSource } from "../network/chain-source.js";
import { openAdminEndpoint } from "../service/admin-endpoint.js";

/** A process that works on the index with the chain until it is done. */
export interface ChainJob {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<{ adminUrl?: string }>;
  /** Resolves when the work is done. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Parts available to the work of a job. The database has the schema of this version and belongs to the chain. */
export type ChainWorkParts = {
  context: Context;
  source: ChainSource;
  database: Database;
  /** Reports a failure that is retried. */
  failed: (error: Error) => void;
};

type ChainWork = {
  /** In the log, such as "redetection". */
  name: string;
  /** Whether the index may be one that no process has written yet. */
  mayBeNew?: boolean;
  /** Whether it imports the index, which may have a part of it already. */
  isImport?: boolean;
  run(parts: ChainWorkParts, signal: AbortSignal): Promise<void>;
  /** Members of `/status`. */
  status(): object;
};

/** Creates the process of a command that needs the index and the chain; `listen` starts it. */
export function createChainJob(config: Config, environment: Environment, work: ChainWork): ChainJob {
  return new Job(config, environment, work);
}

class Job implements ChainJob {
  readonly done: Promise<void>;
  readonly #context: Context;
  readonly #work: ChainWork;
  readonly #ending = new AbortController();
  readonly #failures: FailureLog;
  #finish: (work: Promise<void>) => void = () => {};

  constructor(config: Config, environment: Environment, work: ChainWork) {
    // A devnet in the folder of the index must not make blocks that this process does not index.
    this.#context = createContext({ ...config, mining: "manual" }, environment);
    this.#work = work;
    setMaxListeners(0, this.#ending.signal);
    const { log } = this.#context;
    const { name } = work;
    this.#failures = new FailureLog(this.#ending.signal, (error) =>
      logFailure(log, error, { failed: `the ${name} failed`, waits: `the ${name} waits and tries again` }),
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
    health.answers("writes", () => source.unavailableReason() ?? source.degradedReason());
    const details = () => ({ ...this.#work.status(), failure: this.#failures.last ?? null });
    const adminUrl = await openAdminEndpoint(this.#context, { liteservers: source.liteservers, details });
    health.enter("ready");
    const work = this.#run(source, claim);
    closers.add(work, settled);
    this.#finish(work);
    return adminUrl === undefined ? {} : { adminUrl };
  }

  async close(): Promise<void> {
    this.#context.health.enter("stopping");
    this.#ending.abort();
    await this.#context.closers.close();
  }

  async #run(source: ChainSource, claim: DatabaseClaim): Promise<void> {
    const { closers } = this.#context;
    const { signal } = this.#ending;
    const { failed } = this.#failures;
    const database = closers.add(await claim.open(signal), (each) => each.close());
    await retried(() => this.#prepare(source, database), signal, failed);
    await this.#work.run({ context: this.#context, source, database, failed }, signal);
  }

  /** Migrates the database and compares its chain. */
  async #prepare({ api }: ChainSource, database: Database): Promise<void> {
    const { config, log } = this.#context;
    const { init: zeroState } = await api.getMasterchainInfo();
    await database.confirm({ writes: true }, this.#ending.signal);
    const sql = database.sql({ connections: 1 });
    await migrate(sql, { emptyCommand: database.emptyCommand, onProgress: (text) => log.info(text) });
    const identity = { network: config.network, zeroState };
    const { mayBeNew, isImport = false } = this.#work;
    if (mayBeNew || isImport)
      await sql.transaction((transaction) => claimIdentity(transaction, identity, { isImport }));
    else await confirmIdentity(sql, identity);
  }
}
