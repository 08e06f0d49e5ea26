import type { Server } from "node:http";
import type { Access } from "../../access/access.js";
import { hasProxy } from "../../config/kinds.js";
import { createApp } from "../../http/app.js";
import { ConnectionShare } from "../../http/connection-share.js";
import { AdapterEndpoint } from "../../http/debugging/adapter-endpoint.js";
import { documentRoutes, missingPages } from "../../http/documents/routes.js";
import { createListener } from "../../http/listener.js";
import { mcpRoute } from "../../http/mcp.js";
import { createClientErrorAnswer } from "../../http/requests/client-error.js";
import { WebSocketEndpoint } from "../../http/sockets/websocket.js";
import { usageRoute } from "../../http/usage.js";
import { BlockWatch } from "../../http/v4/block-watch.js";
import { AnswerBudget } from "../../rpc/answers/answer-budget.js";
import { internalCalls } from "../../rpc/internal-calls.js";
import type { Context } from "../context/context.js";
import { explainPortError } from "../context/port-error.js";
import { drainMs, proxyIdleMs } from "../context/shutdown.js";
import type { Siblings } from "../context/siblings.js";
import { documentsForModels } from "./documents-for-models.js";
import type { Network } from "./network.js";
import { gapsOfOutcome } from "./outcome-gaps.js";
import { createRpc } from "./rpc-parts.js";
import { openStreamEndpoints } from "./stream-endpoints.js";
import { version } from "./version.js";

/** The processes of a service accept from one port, and the first to look may get most connections. */
function evenOut(server: Server, siblings: Siblings): void {
  const share = new ConnectionShare(server, (open) => siblings.hasConnections(open));
  siblings.onMeanConnections((mean) => share.balance(mean));
}

/** Opens HTTP and WebSocket on one listener; both drain at the same time. Returns its URL. */
export function openPublicEndpoint(context: Context, access: Access, chain: Network): Promise<string> {
  const { config, cutOff, clock, closers, health, log, metrics, siblings } = context;
  const { documents, methods, dispatcher, rpc } = createRpc(context, chain);
  const budget = new AnswerBudget({
    maxAnswerBytes: config.maxAnswerBytes,
    maxCallerBytes: config.maxUnreadBytes,
    maxTotalBytes: config.maxTotalUnreadBytes,
    waitMs: config.callTimeoutMs,
  });
  const { unknownParams, maxBodyBytes, network, index: isIndexed, imageProxy } = config;
  const imageOrigin = imageProxy && new URL(imageProxy).origin;
  const shared = { access, budget, rpc, health, log, version, clock, unknownParams };
  const streams = chain.streams && openStreamEndpoints(context, access, chain.streams);
  const watch = new BlockWatch({
    call: internalCalls(methods, { signalOf: () => AbortSignal.timeout(config.callTimeoutMs) }),
    onBlock: (listener) => chain.head.onMoved(listener),
    access,
    log,
    now: context.now,
  });
  const adapter = new AdapterEndpoint({ access, budget, clock, rpc, log });
  const handler = createApp({
    ...shared,
    dispatcher,
    methods,
    maxBodyBytes,
    healthScope: config.healthOnly,
    runHeaders: () => chain.versions.headers(),
    catalogueRevision: () => chain.catalogueRevision(),
    isKept: network !== "devnet",
    gapsOfOutcome: (outcome) => gapsOfOutcome(chain.indexing.gaps, outcome),
    routes: [
      ...(streams?.routes ?? []),
      ...watch.routes,
      usageRoute({ access, now: context.now }),
      ...adapter.routes,
      mcpRoute({
        ...shared,
        methods,
        maxBodyBytes,
        documents: documentsForModels(documents),
        publicUrl: config.publicUrl,
      }),
    ],
    pages: documentRoutes(documents, { network, isIndexed, imageOrigin }, chain.fork),
    missing: missingPages(network),
  });
  const answerClientError = createClientErrorAnswer(version);
  const { host, port, trustProxy } = config;
  const idleMs = hasProxy(trustProxy) ? proxyIdleMs : 0;
  const listener = createListener({ host, port, handler, answerClientError, idleMs });
  if (siblings) evenOut(listener.server, siblings);
  const webSockets = new WebSocketEndpoint(listener.server, {
    ...shared,
    metrics,
    maxMessageBytes: maxBodyBytes,
    openSubscriptions: streams?.openSubscriptions,
    services: new Map([...(streams?.services ?? []), ...watch.services, ...adapter.services]),
  });
  closers.add(listener, async () => {
    streams?.close();
    watch.close();
    const left = await Promise.all([listener.close(drainMs), webSockets.close(drainMs)]);
    cutOff.webSockets = left[1];
    cutOff.connections = Math.max(0, left[0] - left[1]);
  });
  return listener.listen().catch(explainPortError("--port"));
}
