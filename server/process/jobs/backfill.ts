import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { handledLater, settled } from "../../../shared/values/promises.js";
import type { Config } from "../../config/settings.js";
import { SetupError } from "../../errors.js";
import { backfill } from "../../indexer/follow/backfill.js";
import { claimIdentity } from "../../indexer/follow/identity.js";
import { IndexWatch } from "../../indexer/follow/index-watch.js";
import { LateRecognition } from "../../indexer/follow/late-recognition.js";
import type { BackfillProgress } from "../../indexer/work/progress.js";
import { planRanges } from "../../indexer/work/ranges.js";
import { retried } from "../../indexer/work/retried.js";
import { presentGaps } from "../../present/v3/gaps.js";
import type { Database, Sql } from "../../store/database.js";
import { migrate } from "../../store/migrate/migrate.js";
import { type Gaps, readGaps } from "../../store/queries/upkeep/index-gaps.js";
import { type Context, createContext } from "../context/context.js";
import type { Environment } from "../environment.js";
import { FailureLog, logFailure } from "../failure-log.js";
import { type ChainSource, openSource } from "../network/chain-source.js";
import { openClassifier } from "../network/classifier.js";
import { openDetection } from "../network/contract-runs.js";
import { openAdminEndpoint } from "../service/admin-endpoint.js";
import { backfillStatus } from "../service/status.js";

/** Masterchain blocks to fill in, or all that are missing between others; and the number of ranges processed in parallel. */
type BackfillPlan = { blocks: BlockSpan | "gaps"; workers: number };

type BlockSpan = { from: number; to: number };

/** A process that fills past blocks into the index. */
interface BackfillJob {
  /** Starts the process; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<{ adminUrl?: string }>;
  /** Progress over all planned ranges, including those of other processes. */
  progress(): BackfillProgress | undefined;
  /** The blocks that are missing between others, once `done` has resolved. */
  gaps(): Gaps | undefined;
  /** Resolves when all planned ranges are filled in and joined. */
  readonly done: Promise<void>;
  close(): Promise<void>;
}

/** Gaps that one process plans to close. */
const maxGaps = 10_000;
/** The part of one core that get-methods may take of accounts that are recognised later, while ranges are filled. */
const lateShare = 0.5;

/** Creates the process of `tonwire backfill`; `listen` starts it. */
export function createBackfill(
  config: Config,
  plan: BackfillPlan,
  environment: Environment = {},
): BackfillJob {
  return new Job(config, plan, environment);
}

class Job implements BackfillJob {
  readonly done: Promise<void>;
  readonly #context: Context;
  readonly #plan: BackfillPlan;
  readonly #ending = new AbortController();
  #watch: IndexWatch | undefined;
  #left: Gaps | undefined;
  #finish: (work: Promise<void>) => void = () => {};
  readonly #failures: FailureLog;

  constructor(config: Config, plan: BackfillPlan, environment: Environment) {
    this.#context = createContext(config, environment);
    this.#plan = plan;
    setMaxListeners(0, this.#ending.signal);
    const { log } = this.#context;
    this.#failures = new FailureLog(this.#ending.signal, (error) =>
      logFailure(log, error, { failed: "the backfill failed", waits: "the backfill waits and tries again" }),
    );
    this.done = new Promise((resolve) => {
      this.#finish = resolve;
    });
    handledLater(this.done);
  }

  async listen(): Promise<{ adminUrl?: string }> {
    const { config, closers, health, now, fallback } = this.#context;
    const source = await openSource(this.#context);
    // Loaded here, because the program has this command among others.
    const { openPostgres } = await import("../../store/wire/postgres.js");
    const database = openPostgres(config.databaseUrl!, { fallback, takeoverMs: config.takeoverMs });
    closers.add(database, (each) => each.close());
    const { head } = source;
    const watch = IndexWatch.start({
      database,
      network: config.network,
      zeroState: head.zeroState,
      chainSeqno: () => head.last.seqno,
      now,
      onReadable: () => {},
      onError: this.#failures.failed,
    });
    closers.add(watch, (each) => each.close());
    this.#watch = watch;
    health.answers(
      "writes",
      () => source.unavailableReason() ?? watch.unavailableReason() ?? source.degradedReason(),
    );
    const adminUrl = await this.#openAdmin(source, watch);
    health.enter("ready");
    const work = this.#work(source, database);
    closers.add(work, settled);
    this.#finish(work);
    return adminUrl === undefined ? {} : { adminUrl };
  }

  #openAdmin({ liteservers }: ChainSource, watch: IndexWatch): Promise<string | undefined> {
    const { metrics } = this.#context;
    metrics.watchBackfill(() => watch.backfill);
    metrics.watchGaps(() => watch.gaps);
    metrics.watchQueue(() => watch.queue);
    const details = () => ({
      backfill: watch.backfill ? backfillStatus(watch.backfill) : null,
      gaps: presentGaps(watch.gaps),
      failure: this.#failures.last ?? null,
    });
    return openAdminEndpoint(this.#context, { liteservers, details });
  }

  progress(): BackfillProgress | undefined {
    return this.#watch?.backfill;
  }

  gaps(): Gaps | undefined {
    return this.#left;
  }

  async close(): Promise<void> {
    this.#context.health.enter("stopping");
    this.#ending.abort();
    await this.#context.closers.close();
  }

  async #work(source: ChainSource, database: Database): Promise<void> {
    const { signal } = this.#ending;
    const { failed } = this.#failures;
    const sql = database.sql({ connections: 1 });
    const detection = await openDetection(this.#context, source);
    const classifier = openClassifier(this.#context);
    await retried(() => this.#prepare(source, database, sql), signal, failed);
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const workers = Array.from({ length: this.#plan.workers }, () =>
      backfill(
        {
          database,
          lite: source.api,
          worker: randomUUID(),
          detection,
          classifier,
          onError: failed,
          onStored: () => this.#failures.succeeded(),
          onLook: (outcome) => this.#context.metrics.validatorsLooked(outcome),
          fallback: this.#context.fallback,
        },
        either,
      ).catch((error) => {
        // A failure of one worker would stop the others too.
        stop.abort();
        throw error;
      }),
    );
    const late = new LateRecognition({
      database: database.sql({ connections: 1 }),
      lite: source.api,
      detection,
      classifier,
      share: lateShare,
      onError: failed,
    });
    const working = late.run(either);
    const ends = await Promise.allSettled(workers);
    stop.abort();
    await working;
    for (const end of ends) if (end.status === "rejected") throw end.reason;
    // The rest of the queue.
    await retried(() => late.finish(signal), signal, failed);
    this.#left = await readGaps(sql);
  }

  /** Plans the ranges in the database. */
  async #prepare({ api }: ChainSource, database: Database, sql: Sql): Promise<void> {
    const { blocks } = this.#plan;
    const { network } = this.#context.config;
    const { last, init: zeroState } = await api.getMasterchainInfo();
    if (blocks !== "gaps" && blocks.to > last.seqno)
      throw new SetupError(`--to is ${blocks.to}, but the newest masterchain block is ${last.seqno}`);
    await database.confirm({ writes: true }, this.#ending.signal);
    const onProgress = (text: string) => this.#context.log.info(text);
    await migrate(sql, { emptyCommand: database.emptyCommand, onProgress });
    await sql.transaction((transaction) => claimIdentity(transaction, { network, zeroState }));
    const spans = blocks === "gaps" ? (await readGaps(sql, maxGaps)).newest : [blocks];
    for (const span of spans) await planRanges(sql, span);
  }
}
