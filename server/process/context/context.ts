import type { Config } from "../../config/settings.js";
import { type Clock, systemClock } from "../../http/clock.js";
import type { MetadataNetwork } from "../../metadata/network.js";
import { CallHistory } from "../../observe/call-history.js";
import { createFallback, type Fallback } from "../../observe/fallback.js";
import { Health } from "../../observe/health.js";
import { createLog, type Log, type LogFormat } from "../../observe/log.js";
import { createMetrics, type Metrics } from "../../observe/metrics.js";
import { Closers } from "../../os/closers.js";
import type { StartCache } from "../../os/kept-files.js";
import { randomSource } from "../../os/random-bytes.js";
import { confirmDataFolder } from "../data-folder.js";
import type { BegunDevnet, Environment } from "../environment.js";
import { cacheFolderOf, startCacheOf } from "../user-cache.js";
import { confirmFork } from "./fork-options.js";
import { LiveSettings } from "./live-settings.js";
import type { CutOff } from "./shutdown.js";
import type { Siblings } from "./siblings.js";

/** Shared dependencies of the parts of a process. */
export type Context = {
  readonly config: Config;
  /** The settings that can change while the process runs. */
  readonly live: LiveSettings;
  /** Connections that were cut off when the process stopped. */
  readonly cutOff: CutOff;
  readonly closers: Closers;
  readonly health: Health;
  readonly log: Log;
  readonly logFormat: LogFormat;
  readonly print: (line: string) => void;
  readonly metrics: Metrics;
  /** Reports a failure after which the process continues with a fallback. */
  readonly fallback: Fallback;
  /** The calls to a devnet; absent on other networks. */
  readonly calls: CallHistory | undefined;
  readonly now: () => number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly redisTimeoutMs: number | undefined;
  /** Cache folder for later starts; absent if nothing is kept. */
  readonly cacheFolder: string | undefined;
  /** The devnet of this process, if it was begun before. */
  readonly devnet: BegunDevnet | undefined;
  /** The same for what depends on the code. */
  readonly startCache: StartCache | undefined;
  readonly metadataNetwork: MetadataNetwork | undefined;
  readonly metadataHostIntervalMs: number | undefined;
  readonly webhookAttemptMs: number | undefined;
  readonly emulationTimeoutMs: number | undefined;
  readonly settleMs: number | undefined;
  readonly chainWaitMs: number;
  /** The other processes of this service; absent if it has one. */
  readonly siblings: Siblings | undefined;
};

/** `methods` are the method names that metrics may use as labels. */
export function createContext(
  config: Config,
  {
    logTo,
    print = (line) => void process.stderr.write(`${line}\n`),
    now = Date.now,
    clock = systemClock,
    random = Math.random,
    redisTimeoutMs,
    userFolder,
    edition,
    devnet,
    metadataNetwork,
    metadataHostIntervalMs,
    webhookAttemptMs,
    emulationTimeoutMs,
    settleMs,
    chainWaitMs = 10_000,
    siblings,
  }: Environment,
  methods: ReadonlySet<string> = new Set(),
): Context {
  if (!devnet) confirmDataFolder(config);
  confirmFork(config);
  const closers = new Closers();
  if (devnet) closers.add(devnet, (each) => each.close());
  const logFormat = config.logFormat ?? (logTo === undefined && process.stderr.isTTY ? "pretty" : "json");
  const lines = createLog({ level: config.logLevel, format: logFormat }, logTo);
  const log = siblings ? lines.child({ process: siblings.number }) : lines;
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
    print,
    metrics,
    fallback,
    calls: config.network === "devnet" ? new CallHistory() : undefined,
    now,
    clock,
    random,
    randomBytes: randomSource(),
    redisTimeoutMs,
    cacheFolder: cacheFolderOf(config, userFolder),
    startCache: startCacheOf(config, { userFolder, edition }),
    devnet,
    metadataNetwork,
    metadataHostIntervalMs,
    webhookAttemptMs,
    emulationTimeoutMs,
    settleMs,
    chainWaitMs,
    siblings,
  };
}
