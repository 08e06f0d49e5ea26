import type { Config } from "../config/settings.js";
import { type Clock, systemClock } from "../http/clock.js";
import type { MetadataNetwork } from "../metadata/network.js";
import { CallHistory } from "../observe/call-history.js";
import { createFallback, type Fallback } from "../observe/fallback.js";
import { Health } from "../observe/health.js";
import { createLog, type Log, type LogFormat } from "../observe/log.js";
import { createMetrics, type Metrics } from "../observe/metrics.js";
import { Closers } from "./closers.js";
import type { CutOff } from "./cut-off.js";
import { confirmDataFolder } from "./data-folder.js";
import type { Environment } from "./environment.js";
import { LiveSettings } from "./live-settings.js";
import type { OwnDevnet } from "./own-devnet.js";
import { cacheFolderOf } from "./user-cache.js";

/** Shared dependencies of the parts of a process. */
export type Context = {
  readonly config: Config;
  /** Those of the settings that change while the process runs. */
  readonly live: LiveSettings;
  /** What was cut off when the process stopped. */
  readonly cutOff: CutOff;
  readonly closers: Closers;
  readonly health: Health;
  readonly log: Log;
  readonly logFormat: LogFormat;
  readonly metrics: Metrics;
  /** Reports a failure that the process goes on without. */
  readonly fallback: Fallback;
  /** The calls to a devnet; absent on other networks. */
  readonly calls: CallHistory | undefined;
  readonly now: () => number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly redisTimeoutMs: number | undefined;
  /** Where later starts find what this one can keep for them; absent if nothing is kept. */
  readonly cacheFolder: string | undefined;
  /** The devnet of this process, if it was begun before. */
  readonly devnet: OwnDevnet | undefined;
  /** Names the code that made what is kept. */
  readonly edition: string | undefined;
  readonly metadataNetwork: MetadataNetwork | undefined;
  readonly webhookAttemptMs: number | undefined;
  readonly settleMs: number | undefined;
};

/** `methods` are the method names that metrics may use as labels. */
export function createContext(
  config: Config,
  {
    logTo,
    now = Date.now,
    clock = systemClock,
    random = Math.random,
    redisTimeoutMs,
    userFolder,
    edition,
    devnet,
    metadataNetwork,
    webhookAttemptMs,
    settleMs,
  }: Environment,
  methods: ReadonlySet<string> = new Set(),
): Context {
  if (!devnet) confirmDataFolder(config);
  const closers = new Closers();
  if (devnet) closers.add(devnet, (each) => each.close());
  const logFormat = config.logFormat ?? (logTo === undefined && process.stderr.isTTY ? "pretty" : "json");
  const log = createLog({ level: config.logLevel, format: logFormat }, logTo);
  const metrics = closers.add(createMetrics(methods), (each) => each.close());
  const fallback = createFallback({ log, metrics, now });
  if (config.data !== undefined) metrics.watchDisk(config.data, fallback);
  return {
    config,
    live: new LiveSettings(config, log),
    cutOff: { connections: 0, webSockets: 0 },
    closers,
    health: new Health(),
    log,
    logFormat,
    metrics,
    fallback,
    calls: config.network === "devnet" ? new CallHistory() : undefined,
    now,
    clock,
    random,
    redisTimeoutMs,
    cacheFolder: cacheFolderOf(config, userFolder),
    edition,
    devnet,
    metadataNetwork,
    webhookAttemptMs,
    settleMs,
  };
}
