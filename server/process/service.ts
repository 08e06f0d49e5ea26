import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type Access, createAccess } from "../access/access.js";
import { type DevnetKey, openDevnetKey } from "../access/devnet-key.js";
import { KeyStoreError } from "../access/key-store-error.js";
import { hasProxy } from "../config/kinds.js";
import { type Config, ConfigError, keysFileOf } from "../config/settings.js";
import { createApp } from "../http/app.js";
import { createClientErrorAnswer } from "../http/client-error.js";
import { createDocuments } from "../http/documents/documents.js";
import { documentRoutes, missingPages } from "../http/documents/routes.js";
import { StoryExamples } from "../http/documents/story-examples.js";
import { createListener } from "../http/listener.js";
import { StreamConnections } from "../http/streaming/connections.js";
import { Streaming } from "../http/streaming/streaming.js";
import { EventSources } from "../http/subscriptions/event-source.js";
import { openSubscriptions } from "../http/subscriptions/socket-subscriptions.js";
import { WebSocketEndpoint } from "../http/websocket.js";
import type { Reason } from "../observe/health.js";
import { createCallLog, type LogFormat } from "../observe/log.js";
import type { StreamNumbers } from "../observe/part-metrics.js";
import { AnswerBudget } from "../rpc/answer-budget.js";
import { bind } from "../rpc/bind.js";
import { AnswerCache } from "../rpc/cache.js";
import { Dispatcher } from "../rpc/dispatch.js";
import { createDisturbance } from "../rpc/disturbance.js";
import { JsonRpc } from "../rpc/json-rpc.js";
import { ownCalls } from "../rpc/own-calls.js";
import type { Hub } from "../stream/hub.js";
import { openAdminEndpoint } from "./admin-endpoint.js";
import { type Context, createContext } from "./context.js";
import { drainMs, proxyIdleMs, stopBegins, stopEnds } from "./cut-off.js";
import type { Environment } from "./environment.js";
import { gapsCrossed } from "./gaps-crossed.js";
import type { IndexMode } from "./index-part.js";
import { type Network, openNetwork } from "./network.js";
import { logOperations } from "./operations-log.js";
import { explainPortError } from "./port-error.js";
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

/** Each of the four stores of cached answers; less on a small heap. */
const cacheBytes = Math.min(64 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8);

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
  const url = await openPublic(context, { access, chain });
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

type PublicDeps = { access: Access; chain: Network };

/** Opens HTTP and WebSocket on one listener; both drain at the same time. */
function openPublic(
  {
    config,
    live,
    cutOff,
    calls,
    closers,
    health,
    log,
    logFormat,
    metrics,
    fallback,
    now,
    clock,
    random,
  }: Context,
  { access, chain }: PublicDeps,
): Promise<string> {
  const settings = () => {
    const { logSample = defaultLogSample(config, logFormat), slowMs } = live.current;
    return { logSample, slowMs };
  };
  const logCall = createCallLog(log, { settings, random, now });
  const discover = async () => {
    await documents.edition();
    return documents.openRpc;
  };
  const rpcMethods = { ping: () => "pong" as const, discover };
  const methods = bind(registry, { ...chain.implementations, rpc: rpcMethods }, config.network);
  const cache = new AnswerCache({
    maxBytes: cacheBytes,
    chain: chain.head,
    index: chain.indexing.head,
    isChainLocal: chain.isLocal,
  });
  const story = new StoryExamples({
    call: ownCalls(methods, config.callTimeoutMs),
    hasIndex: config.index,
    fallback,
  });
  const documents = createDocuments(registry, {
    network: config.network,
    version,
    publicUrl: config.publicUrl,
    story: config.network === "devnet" ? story : undefined,
  });
  chain.onReverted(() => {
    cache.forget();
    story.forget();
  });
  const dispatcher = new Dispatcher({
    cache,
    callTimeoutMs: config.callTimeoutMs,
    now,
    newRequestId: randomUUID,
    report: (report) => {
      metrics.called(report);
      logCall(report);
    },
    cacheRead: metrics.cacheRead,
    ...(config.network === "devnet" && {
      disturb: createDisturbance({ latencyMs: config.latency, failRate: config.failRate, random }),
    }),
    record:
      calls &&
      (({ method, params, durationMs, code = "ok", exitMeaning }) => {
        // Those who watch the history would otherwise fill it.
        if (method === "devnet.calls") return;
        calls.add({ at: now(), method, params, durationMs, outcome: code, exitMeaning });
      }),
  });
  const { maxBatch, batchParallel, maxBodyBytes } = config;
  const rpc = new JsonRpc({ methods, dispatcher, maxBatch, batchParallel });
  const budget = new AnswerBudget({
    maxAnswerBytes: config.maxAnswerBytes,
    maxCallerBytes: config.maxUnreadBytes,
    maxTotalBytes: config.maxTotalUnreadBytes,
    waitMs: config.callTimeoutMs,
  });
  const { unknownParams } = config;
  const shared = { access, budget, rpc, health, log, version, clock, unknownParams };
  const { network, index: isIndexed } = config;
  const pages = documentRoutes(documents, { network, isIndexed });
  const streams = chain.streams && {
    hub: chain.streams,
    connections: new StreamConnections({ clock, shared: access.holdings }),
  };
  const streaming = streams && new Streaming({ ...shared, ...streams, maxBodyBytes });
  if (streams) metrics.watchStreams(() => streamNumbers(streams));
  const eventSources = streams && new EventSources({ ...shared, ...streams });
  const routes = [...(streaming?.routes ?? []), ...(eventSources?.routes ?? [])];
  const handler = createApp({
    ...shared,
    dispatcher,
    methods,
    maxBodyBytes,
    healthScope: config.healthOnly,
    runHeaders: () => chain.versions.headers(),
    gapsCrossed: (outcome) => gapsCrossed(chain.indexing.gaps, outcome),
    routes,
    pages,
    missing: missingPages(network),
  });
  const answerClientError = createClientErrorAnswer(version);
  const { host, port, trustProxy } = config;
  const idleMs = hasProxy(trustProxy) ? proxyIdleMs : 0;
  const listener = createListener({ host, port, handler, answerClientError, idleMs });
  const webSockets = new WebSocketEndpoint(listener.server, {
    ...shared,
    metrics,
    maxMessageBytes: maxBodyBytes,
    openSubscriptions: streams && openSubscriptions({ ...streams, access }),
    ...(streaming && { services: streaming.services }),
  });
  closers.add(listener, async () => {
    streaming?.close();
    eventSources?.close();
    streams?.connections.close();
    const left = await Promise.all([listener.close(drainMs), webSockets.close(drainMs)]);
    cutOff.webSockets = left[1];
    cutOff.connections = Math.max(0, left[0] - left[1]);
  });
  return listener.listen().catch(explainPortError("--port"));
}

/** A developer at a terminal sees all calls to a devnet. */
function defaultLogSample({ network }: Config, format: LogFormat): number {
  return network === "devnet" && format === "pretty" ? 1 : 0.01;
}

function streamNumbers({ hub, connections }: { hub: Hub; connections: StreamConnections }): StreamNumbers {
  const { subscriptions, accounts, lagging, counts } = hub;
  const { resumes, resumedUnits, dropped, events, delay } = counts;
  return {
    connections: connections.size,
    subscriptions,
    accounts,
    lagging,
    resumes,
    resumedUnits,
    dropped,
    events,
    delay,
  };
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
