// The whole request path of the service over one cached method: a key with a limit, checks, both dialects, log
// and metrics included.
import { randomUUID } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createAccess } from "../../../server/access/access.js";
import { hashKey } from "../../../server/access/key-file.js";
import { configWith } from "../../../server/config.js";
import { createApp } from "../../../server/http/app.js";
import { createListener } from "../../../server/http/listener.js";
import { createCallLog, createLog } from "../../../server/log.js";
import { createMetrics } from "../../../server/metrics.js";
import { bind, implement } from "../../../server/rpc/bind.js";
import { AnswerCache, noHead } from "../../../server/rpc/cache.js";
import { Dispatcher } from "../../../server/rpc/dispatch.js";
import { JsonRpc } from "../../../server/rpc/json-rpc.js";
import { defineMethod } from "../../../shared/methods/define.js";
import { accountAddress, int32 } from "../../../shared/schema/v2-params.js";
import { report } from "./process.js";
import { address, methodName, record } from "./record.js";

const definitions = {
  [methodName]: defineMethod({
    summary: "A cached record.",
    group: "Bench",
    params: z.object({ address: accountAddress, seqno: int32({ atLeast: 1 }).optional() }),
    result: z.unknown(),
    verbs: ["GET", "POST"],
    freshness: { kind: "head", pinnedBy: ["seqno"] },
    examples: [{ params: { address }, result: record }],
  }),
};

const key = "key of the bench";
const keysFile = join(mkdtempSync(join(tmpdir(), "tonwire-bench-")), "keys.json");
writeFileSync(
  keysFile,
  JSON.stringify({
    version: 1,
    plans: { bench: { rps: 1_000_000, burst: 1_000_000 } },
    keys: [
      {
        id: "bench",
        hash: hashKey(key),
        network: "devnet",
        plan: "bench",
        label: "bench",
        created_at: new Date(0).toISOString(),
      },
    ],
  }),
);

const config = configWith({ keysFile, logLevel: "silent" });
const log = createLog(config.logLevel);
const metrics = createMetrics(new Set([methodName]));
const logCall = createCallLog(log, {
  logSample: config.logSample,
  slowMs: config.slowMs,
  random: Math.random,
});
const methods = bind(
  definitions,
  implement(definitions, { [methodName]: async () => record }, undefined),
  config.network,
);
const dispatcher = new Dispatcher({
  cache: new AnswerCache({ maxBytes: 1_000_000, chain: { current: "block 1" }, index: noHead }),
  callTimeoutMs: config.callTimeoutMs,
  now: Date.now,
  newRequestId: randomUUID,
  report: (call) => {
    metrics.called(call);
    logCall(call);
  },
  cacheRead: metrics.cacheRead,
});
const { maxBatch, batchParallel, maxBodyBytes } = config;
const listener = createListener({
  host: "127.0.0.1",
  port: 0,
  handler: createApp({
    access: await createAccess({ config, log, metrics, now: Date.now }),
    dispatcher,
    rpc: new JsonRpc({ methods, dispatcher, maxBatch, batchParallel }),
    maxBodyBytes,
    methods,
    readiness: { reason: undefined },
    log,
    version: "0.1.0",
  }),
});
report({ url: await listener.listen(), headers: { "X-API-Key": key } });
