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
import { createCallLog } from "../observe/log.js";
import { bind } from "../rpc/bind.js";
import { AnswerCache } from "../rpc/cache.js";
import { Dispatcher } from "../rpc/dispatch.js";
import { JsonRpc } from "../rpc/json-rpc.js";
import { openAdminListener } from "./admin-endpoint.js";
import { type Context, createContext } from "./context.js";
import type { Environment } from "./environment.js";
import type { IndexDuty } from "./index-part.js";
import { type Network, openNetwork } from "./network.js";
import { refusePort } from "./port-error.js";
import { indexStatus } from "./status.js";
import { version } from "./version.js";

export type { Environment };

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
export function createService(
  config: Config,
  environment: Environment = {},
  duty: IndexDuty = "write",
): Service {
  const methods = new Set(flatten(registry).map(([name]) => name));
  const context = createContext(config, environment, methods);
  const { closers, health, log } = context;
  return {
    async listen() {
      const listening = await bringUp(context, duty);
      health.enter("ready");
      const { network } = config;
      log.info({ version, network, url: listening.url, adminUrl: listening.adminUrl }, "service is ready");
      return listening;
    },
    async close() {
      health.enter("stopping");
      await closers.close();
      log.info("service has stopped");
    },
  };
}

/** Every part in order; each is closed before the ones it stands on. */
async function bringUp(context: Context, duty: IndexDuty): Promise<Listening> {
  const { config, closers, health, log, metrics, now, redisPatienceMs } = context;
  const devnetKey =
    config.network === "devnet" ? (config.devnetKey ?? newKeyText(config.network)) : undefined;
  const access = closers.add(
    await createAccess({ config, devnetKey, log, metrics, now, redisPatienceMs }),
    (each) => each.close(),
  );
  const documents = createDocuments(registry, { network: config.network, version });
  const chain = await openNetwork(context, duty);
  health.unavailableBy(() => chain.unavailableReason());
  health.degradedBy(() => chain.degradedReason());
  health.degradedBy(() => chain.indexing.unavailableReason());
  const url = await openPublic(context, { access, documents, chain });
  const { liteservers, indexing } = chain;
  metrics.watchIndex(() => indexing.status()?.progress);
  metrics.watchBackfill(() => indexing.status()?.backfill);
  const details = () => indexStatus(indexing.status());
  const adminUrl = await openAdminListener(context, { liteservers, details });
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
  { config, closers, health, log, metrics, now, random }: Context,
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
  const shared = { access, rpc, health, log, version };
  const pages = documentRoutes(documents);
  const handler = createApp({ ...shared, dispatcher, methods, maxBodyBytes, pages });
  const answerClientError = createClientErrorAnswer(version);
  const listener = createListener({ host: config.host, port: config.port, handler, answerClientError });
  const webSockets = new WebSocketEndpoint(listener.server, {
    ...shared,
    metrics,
    maxMessageBytes: maxBodyBytes,
  });
  closers.add(listener, async () => {
    await Promise.all([listener.close(drainMs), webSockets.close(drainMs)]);
  });
  return listener.listen().catch(refusePort("--port"));
}
