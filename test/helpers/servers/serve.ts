// The whole request path of the service: a key with a limit, checks, both dialects, cache, log and metrics.
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccess } from "../../../server/access/access.js";
import { hashKey } from "../../../server/access/keys/key-file.js";
import { KeyFileSource } from "../../../server/access/keys/key-file-source.js";
import { type Config, configWith, keysFileOf } from "../../../server/config/settings.js";
import { createApp } from "../../../server/http/app.js";
import { createListener } from "../../../server/http/listener.js";
import { WebSocketEndpoint } from "../../../server/http/sockets/websocket.js";
import { Health } from "../../../server/observe/health.js";
import { createCallLog, createLog, type Log } from "../../../server/observe/log.js";
import { createMetrics } from "../../../server/observe/metrics.js";
import type { Methods } from "../../../server/rpc/bind.js";
import { AnswerCache, type Head, noHead } from "../../../server/rpc/cache.js";
import { Dispatcher } from "../../../server/rpc/dispatch.js";
import { JsonRpc } from "../../../server/rpc/json-rpc/json-rpc.js";
import { budgetWith } from "../http/answer-limits.js";
import { noFallback } from "../no-fallback.js";
import type { Hello } from "./process.js";

const key = "key of the bench";

/** Settings with a key store of one key, with a limit that is never reached. */
export function benchConfig(): Config {
  const keysFile = join(mkdtempSync(join(tmpdir(), "tonwire-bench-")), "keys.json");
  const entry = {
    id: "bench",
    hash: hashKey(key),
    network: "devnet",
    plan: "bench",
    label: "bench",
    created_at: new Date(0).toISOString(),
  };
  const plans = { bench: { rps: 1_000_000, burst: 1_000_000 } };
  writeFileSync(keysFile, JSON.stringify({ version: 1, plans, keys: [entry] }));
  // Otherwise a devnet does not limit callers of its machine.
  return configWith({ keysFile, anonymousRps: 1, logLevel: "silent", story: false, mining: "manual" });
}

/** Serves methods on a free port. */
export async function serve(methods: Methods, chain: Head, config: Config): Promise<Hello> {
  const log: Log = createLog({ level: config.logLevel });
  const metrics = createMetrics(new Set(methods.keys()));
  const logCall = createCallLog(log, {
    settings: () => ({
      logSample: config.logSample ?? 0.01,
      slowMs: config.slowMs,
      logParams: config.logParams,
    }),
    random: Math.random,
    now: Date.now,
  });
  const dispatcher = new Dispatcher({
    cache: new AnswerCache({ maxBytes: 16_000_000, chain, index: noHead }),
    callTimeoutMs: config.callTimeoutMs,
    now: Date.now,
    newRequestId: randomUUID,
    report: (call) => {
      metrics.called(call);
      logCall(call);
    },
    cacheRead: metrics.cacheRead,
  });
  const { maxBatch, maxBodyBytes } = config;
  const health = new Health();
  health.enter("ready");
  const shared = {
    access: await createAccess({
      config,
      keySource: new KeyFileSource(keysFileOf(config)),
      log,
      metrics,
      fallback: noFallback,
      now: Date.now,
    }),
    budget: budgetWith(),
    rpc: new JsonRpc({ methods, dispatcher, maxBatch }),
    health,
    log,
    version: "0.1.0",
    healthScope: "any",
    unknownParams: "refuse",
  } as const;
  const handler = createApp({ ...shared, dispatcher, maxBodyBytes, methods });
  const listener = createListener({ host: "127.0.0.1", port: 0, handler });
  new WebSocketEndpoint(listener.server, { ...shared, metrics, maxMessageBytes: maxBodyBytes });
  return { url: await listener.listen(), headers: { "X-API-Key": key } };
}
