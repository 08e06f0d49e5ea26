import { randomUUID } from "node:crypto";
import { flatten } from "../../shared/methods/define.js";
import { registry } from "../../shared/methods/registry.js";
import { type Access, createAccess } from "../access/access.js";
import { newKeyText } from "../access/key-file.js";
import type { Config } from "../config/settings.js";
import { createApp } from "../http/app.js";
import { createClientErrorAnswer } from "../http/client-error.js";
import { createDocuments, type Documents } from "../http/documents/documents.js";
import { documentRoutes } from "../http/documents/routes.js";
import { createListener } from "../http/listener.js";
import { WebSocketEndpoint } from "../http/websocket.js";
import { Readiness } from "../observe/health.js";
import { createCallLog, createLog, type Log } from "../observe/log.js";
import { createMetrics, type Metrics } from "../observe/metrics.js";
import { bind } from "../rpc/bind.js";
import { AnswerCache } from "../rpc/cache.js";
import { Dispatcher } from "../rpc/dispatch.js";
import { JsonRpc } from "../rpc/json-rpc.js";
import { openAdminListener } from "./admin-endpoint.js";
import { Parts } from "./closers.js";
import type { Overrides } from "./environment.js";
import type { IndexDuty } from "./index-part.js";
import { type Network, openNetwork } from "./network.js";
import { refusePort } from "./port-error.js";
import { indexStatus } from "./status.js";
import { version } from "./version.js";

export type { Overrides };

export type Listening = {
  url: string;
  /** Absent when the admin listener is off. */
  adminUrl?: string;
  /** The devnet's ready-made key; other networks have none. */
  devnetKey?: string;
  /** Address of the wallet that gives the devnet's money away. */
  faucet?: string;
  /** Address and public key of the liteserver, where a port is set for it. */
  liteserver?: string;
};

/** A whole service: one network, its listeners and everything behind them. */
export interface Service {
  /** Brings every part up, once. When it rejects, `close` still has to be called. */
  listen(): Promise<Listening>;
  /** Answers the calls in flight for at most ten seconds, then closes every part. */
  close(): Promise<void>;
}

const drainMs = 10_000;
const cacheBytes = 64 * 1024 * 1024;

/** With the duty "read" another process writes the index of the database that is configured. */
export function createService(config: Config, overrides: Overrides = {}, duty: IndexDuty = "write"): Service {
  const { logTo, now = Date.now, random = Math.random, redisPatienceMs } = overrides;
  const parts = new Parts();
  const readiness = new Readiness();
  const log = createLog(config.logLevel, logTo);
  const metrics = parts.add(createMetrics(new Set(flatten(registry).map(([name]) => name))), (each) =>
    each.close(),
  );
  return {
    async listen() {
      const frame = { config, parts, readiness, log, metrics, now, random, redisPatienceMs };
      const listening = await bringUp(frame, duty);
      readiness.enter("ready");
      const { network } = config;
      log.info({ version, network, url: listening.url, adminUrl: listening.adminUrl }, "service is ready");
      return listening;
    },
    async close() {
      readiness.enter("stopping");
      await parts.close();
      log.info("service has stopped");
    },
  };
}

type Frame = {
  config: Config;
  parts: Parts;
  readiness: Readiness;
  log: Log;
  metrics: Metrics;
  now: () => number;
  random: () => number;
  redisPatienceMs: number | undefined;
};

/** Every part in order; each is closed before the ones it stands on. */
async function bringUp(frame: Frame, duty: IndexDuty): Promise<Listening> {
  const { config, parts, readiness, log, metrics, now, redisPatienceMs } = frame;
  const devnetKey =
    config.network === "devnet" ? (config.devnetKey ?? newKeyText(config.network)) : undefined;
  const access = parts.add(
    await createAccess({ config, devnetKey, log, metrics, now, redisPatienceMs }),
    (each) => each.close(),
  );
  const documents = createDocuments(registry, { network: config.network, version });
  const chain = await openNetwork(frame, duty);
  readiness.dependOn(() => chain.absence());
  readiness.suffer(() => chain.ailment());
  readiness.suffer(() => chain.indexing.absence());
  const url = await openPublic(frame, { access, documents, chain });
  const { liteservers, indexing } = chain;
  metrics.watchIndex(() => indexing.status()?.progress);
  metrics.watchBackfill(() => indexing.status()?.backfill);
  const details = () => indexStatus(indexing.status());
  const adminUrl = await openAdminListener(frame, { liteservers, details });
  indexing.begin();
  return {
    url,
    ...(adminUrl !== undefined && { adminUrl }),
    ...(devnetKey !== undefined && { devnetKey }),
    ...(chain.faucet !== undefined && { faucet: chain.faucet }),
    ...(chain.liteserver !== undefined && { liteserver: chain.liteserver }),
  };
}

type PublicDeps = { access: Access; documents: Documents; chain: Network };

/** HTTP and WebSocket on one listener; both drain at the same time. */
function openPublic(
  { config, parts, readiness, log, metrics, now, random }: Frame,
  { access, documents, chain }: PublicDeps,
): Promise<string> {
  const logCall = createCallLog(log, { logSample: config.logSample, slowMs: config.slowMs, random });
  const rpcMethods = { ping: () => "pong" as const, discover: () => documents.openRpc };
  const methods = bind(registry, { ...chain.implementations, rpc: rpcMethods }, config.network);
  const cache = new AnswerCache({ maxBytes: cacheBytes, chain: chain.head, index: chain.indexing.head });
  chain.onReverted(() => cache.forget());
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
  });
  const { maxBatch, batchParallel, maxBodyBytes } = config;
  const rpc = new JsonRpc({ methods, dispatcher, maxBatch, batchParallel });
  const shared = { access, rpc, readiness, log, version };
  const pages = documentRoutes(documents);
  const handler = createApp({ ...shared, dispatcher, methods, maxBodyBytes, pages });
  const answerClientError = createClientErrorAnswer(version);
  const listener = createListener({ host: config.host, port: config.port, handler, answerClientError });
  const webSockets = new WebSocketEndpoint(listener.server, {
    ...shared,
    metrics,
    maxMessageBytes: maxBodyBytes,
  });
  parts.add(listener, async () => {
    await Promise.all([listener.close(drainMs), webSockets.close(drainMs)]);
  });
  return listener.listen().catch(refusePort("--port"));
}
