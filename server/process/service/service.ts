import { setTimeout as wait } from "node:timers/promises";
import { flatten } from "../../../shared/methods/define.js";
import { registry } from "../../../shared/methods/registry.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { wholeShard } from "../../../shared/ton/tlb/block-id.js";
import { type Access, createAccess } from "../../access/access.js";
import { type Config, keyStoreOf } from "../../config/settings.js";
import { operatorUsage } from "../../http/usage.js";
import type { Health, HealthReport } from "../../observe/health.js";
import type { MetricsData } from "../../observe/metrics.js";
import { TcpTable } from "../../os/tcp-table.js";
import type { ForkFacts } from "../../web/pages/shells/explorer-shell.js";
import { type Context, createContext } from "../context/context.js";
import { stopBegins, stopEnds } from "../context/shutdown.js";
import type { Environment } from "../environment.js";
import type { IndexMode } from "../index/index-part.js";
import { devnetKeyOf } from "../network/devnet-key.js";
import { type Overview, openAdminPort, overviewOf } from "./admin-endpoint.js";
import { openKeySource } from "./key-source.js";
import { openNetwork, type PrefundedWallet } from "./network.js";
import { logOperations } from "./operations-log.js";
import { openPublicEndpoint } from "./public-endpoint.js";
import { reportHealth } from "./report-health.js";
import { forkStatusOf, indexStatus } from "./status.js";
import { openServiceUsage } from "./usage.js";
import { version } from "./version.js";
import { versionStatus } from "./versions.js";

export type { Environment };

/** Addresses and keys of a running service. */
export type Listening = {
  url: string;
  /** Absent if the operator's endpoint is disabled. */
  adminUrl?: string;
  /** The built-in API key of the devnet; other networks have none. */
  devnetKey?: string;
  /** The file that has the devnet's key. */
  devnetKeyFile?: string;
  /** Address of the devnet's faucet wallet. */
  faucet?: string;
  wallets?: readonly PrefundedWallet[];
  /** The devnet's zero state, from which clients can prove its chain. */
  trustedBlock?: ReturnType<typeof presentBlockId>;
  /** The fork that the devnet is. */
  fork?: ForkFacts;
  /** Address and public key of the liteserver, if its port is configured. */
  liteserver?: string;
};

/** Facts of a process for its operator. */
export type ProcessReport = {
  readonly phase: Health["phase"];
  readonly health: HealthReport;
  readonly status: Readonly<Record<string, unknown>>;
  readonly metrics: MetricsData;
};

/** A complete service for one network. */
export interface Service {
  /** Starts every part; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<Listening>;
  /** Reads the keys again, and the settings by `read`. */
  reload(read: () => Config): void;
  /** Health turns, so that balancers send their calls elsewhere; the service goes on answering. */
  leave(): void;
  report(): Promise<ProcessReport>;
  /**
   * After the delay of a stop, waits up to ten seconds for calls in flight, then closes every part. `signal`: the
   * signal that requested the stop.
   */
  close(signal?: NodeJS.Signals): Promise<void>;
}

/** Creates a service; `listen` starts it. In mode `read` it reads the index that another process writes. */
export function createService(
  config: Config,
  environment: Environment = {},
  mode: IndexMode = "write",
): Service {
  const methods = new Set(flatten(registry).map(([name]) => name));
  const context = createContext(config, environment, methods);
  const { closers, health, log } = context;
  let access: Access | undefined;
  let overview: Overview | undefined;
  let hasListened = false;
  return {
    async listen() {
      const started = await start(context, mode, (opened) => {
        access = opened;
      });
      const { listening } = started;
      overview = started.overview;
      hasListened = true;
      health.enter("ready");
      log.info({ version, ...urlsOf(listening) }, `the service is ready: ${roleOf(config, mode)}`);
      return listening;
    },
    reload(read) {
      context.live.reload(read);
      access?.reloadKeys();
    },
    leave: () => health.enter("stopping"),
    report: async () => ({
      phase: health.phase,
      health: health.report,
      status: overview?.status() ?? {},
      metrics: await context.metrics.data(),
    }),
    async close(signal) {
      health.enter("stopping");
      log.info(stopBegins(signal));
      // Balancers see it and send their calls elsewhere.
      if (hasListened) await wait(1000 * config.stopDelay);
      await closers.close();
      log.info(stopEnds(context.cutOff));
    },
  };
}

function urlsOf({ url, adminUrl }: Listening): Pick<Listening, "url" | "adminUrl"> {
  return { url, ...(adminUrl !== undefined && { adminUrl }) };
}

/** The role of the process, for the log. */
function roleOf({ network, index }: Config, mode: IndexMode): string {
  if (!index) return `it answers for ${network}, without an index`;
  return mode === "write"
    ? `it answers for ${network}, and writes the index`
    : `it answers for ${network} from the index that another process writes`;
}

/** Starts the parts in order of their dependencies; they are closed in reverse order. */
async function start(
  context: Context,
  mode: IndexMode,
  onAccess: (access: Access) => void,
): Promise<{ listening: Listening; overview: Overview }> {
  const { config, closers, health, log, metrics, fallback, now, redisTimeoutMs, siblings } = context;
  const key = devnetKeyOf(context);
  const devnetKey = key?.text;
  const keySource = await openKeySource(context);
  // The supervisor of several processes has the store of all.
  const usageStore =
    siblings?.limits.usage ?? closers.add(await openServiceUsage(config), (each) => each.close());
  const access = closers.add(
    await createAccess({
      ...{ config, keySource, usageStore, devnetKey, log, metrics, fallback, now, redisTimeoutMs },
      shared: siblings?.limits,
      tcpTable: process.platform === "linux" ? new TcpTable() : undefined,
    }),
    (each) => each.close(),
  );
  onAccess(access);
  log.debug(`start: the keys of the ${keyStoreOf(config)} are read`);
  const chain = await openNetwork(context, mode, access);
  log.debug(`start: the chain of ${config.network} is open at block ${chain.head.last.seqno}`);
  reportHealth(context, access, chain);
  const url = await openPublicEndpoint(context, access, chain);
  log.debug(`start: callers are answered at ${url}`);
  const { liteservers, indexing } = chain;
  metrics.watchIndex(() => indexing.status()?.progress);
  metrics.watchRole(() => indexing.status()?.role);
  metrics.watchBackfill(() => indexing.status()?.backfill);
  metrics.watchGaps(() => indexing.status()?.gaps);
  metrics.watchQueue(() => indexing.status()?.queue);
  metrics.watchKeys(() => access.monthUse());
  metrics.watchVersions(() => chain.versions.known);
  const fork = () => chain.setup?.current.fork;
  metrics.watchFork(() => (siblings === undefined || siblings.number === 1 ? fork()?.origin : undefined));
  const details = () => ({
    ...forkStatusOf(fork()),
    ...versionStatus(chain.versions.known),
    ...indexStatus(indexing.status()),
  });
  const overview = overviewOf(context, { liteservers, details });
  const adminUrl = await openAdminPort(context, {
    ...{ health, metrics, ...overview },
    usage: (search) => operatorUsage(usageStore, search, now()),
  });
  log.debug(
    `start: the operator's endpoint is ${adminUrl ?? "off"}; the index is ${config.index ? "opened" : "off"}`,
  );
  logOperations(context, () => indexing.status(), liteservers);
  indexing.begin();
  const sign = chain.fork();
  const listening = {
    url,
    ...(adminUrl !== undefined && { adminUrl }),
    ...(devnetKey !== undefined && { devnetKey }),
    ...(key?.path !== undefined && { devnetKeyFile: key.path }),
    ...(chain.faucet !== undefined && { faucet: chain.faucet }),
    ...(chain.wallets && { wallets: chain.wallets }),
    ...(chain.wallets && {
      trustedBlock: presentBlockId({ ...chain.head.zeroState, shard: wholeShard, seqno: 0 }),
    }),
    ...(sign && { fork: sign }),
    ...(chain.liteserver !== undefined && { liteserver: chain.liteserver }),
  };
  return { listening, overview };
}
