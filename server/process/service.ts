import { setTimeout as wait } from "node:timers/promises";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type Access, createAccess } from "../access/access.js";
import { type DevnetKey, openDevnetKey } from "../access/devnet-key.js";
import { KeyStoreError } from "../access/key-store-error.js";
import { type Config, ConfigError, keysFileOf } from "../config/settings.js";
import type { Reason } from "../observe/health.js";
import { openAdminEndpoint } from "./admin-endpoint.js";
import { type Context, createContext } from "./context.js";
import { stopBegins, stopEnds } from "./cut-off.js";
import type { Environment } from "./environment.js";
import type { IndexMode } from "./index-part.js";
import { openNetwork } from "./network.js";
import { logOperations } from "./operations-log.js";
import { openPublicEndpoint } from "./public-endpoint.js";
import { indexStatus } from "./status.js";
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
  /** Address and public key of the liteserver, if its port is configured. */
  liteserver?: string;
};

/** A complete service for one network. */
export interface Service {
  /** Starts every part; call it once. Even if it rejects, `close` must be called. */
  listen(): Promise<Listening>;
  /** Reads the keys again, and the settings by `read`. */
  reload(read: () => Config): void;
  /**
   * After the delay of a stop, waits up to ten seconds for calls in flight, then closes every part. `signal` asked for it.
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
  let hasListened = false;
  return {
    async listen() {
      const listening = await start(context, mode, (opened) => {
        access = opened;
      });
      hasListened = true;
      health.enter("ready");
      log.info({ version, ...urlsOf(listening) }, `the service is ready: ${roleOf(config, mode)}`);
      return listening;
    },
    reload(read) {
      context.live.reload(read);
      access?.reloadKeys();
    },
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

/** What the process does, in words. */
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
): Promise<Listening> {
  const { config, closers, health, log, metrics, now, redisTimeoutMs } = context;
  const key = devnetKeyOf(context);
  const devnetKey = key?.text;
  const access = closers.add(
    await createAccess({ config, devnetKey, log, metrics, now, redisTimeoutMs }),
    (each) => each.close(),
  );
  onAccess(access);
  log.debug(`start: the keys of ${keysFileOf(config)} are read`);
  const chain = await openNetwork(context, mode, access);
  log.debug(`start: the chain of ${config.network} is open at block ${chain.head.last.seqno}`);
  health.unavailableBy(() => chain.unavailableReason());
  health.degradedBy(() => chain.degradedReason());
  health.degradedBy(() => chain.indexing.unavailableReason(), "index");
  health.degradedBy(() => keysReason(access));
  const url = await openPublicEndpoint(context, access, chain);
  log.debug(`start: callers are answered at ${url}`);
  const { liteservers, indexing } = chain;
  metrics.watchIndex(() => indexing.status()?.progress);
  metrics.watchBackfill(() => indexing.status()?.backfill);
  metrics.watchGaps(() => indexing.status()?.gaps);
  metrics.watchQueue(() => indexing.status()?.queue);
  metrics.watchVersions(() => chain.versions.known);
  const details = () => ({
    ...versionStatus(chain.versions.known),
    ...indexStatus(indexing.status()),
  });
  const adminUrl = await openAdminEndpoint(context, { liteservers, details });
  log.debug(
    `start: the operator's endpoint is ${adminUrl ?? "off"}; the index is ${config.index ? "opened" : "off"}`,
  );
  logOperations(context, () => indexing.status(), liteservers);
  indexing.begin();
  return {
    url,
    ...(adminUrl !== undefined && { adminUrl }),
    ...(devnetKey !== undefined && { devnetKey }),
    ...(key?.path !== undefined && { devnetKeyFile: key.path }),
    ...(chain.faucet !== undefined && { faucet: chain.faucet }),
    ...(chain.liteserver !== undefined && { liteserver: chain.liteserver }),
  };
}

function keysReason({ keysFailure: detail }: Access): Reason | undefined {
  return detail === undefined ? undefined : { text: "The newest keys cannot be read", detail };
}

/** Throws `ConfigError` if the key cannot be read or kept. */
function devnetKeyOf({ config, fallback }: Context): DevnetKey | undefined {
  try {
    return openDevnetKey(config, fallback);
  } catch (error) {
    if (error instanceof KeyStoreError) throw new ConfigError([error.message]);
    throw error;
  }
}
