import { randomUUID } from "node:crypto";
import { getHeapStatistics } from "node:v8";
import { registry } from "../../../shared/methods/registry.js";
import { serviceItself } from "../../access/limits/caller-share.js";
import type { Config } from "../../config/settings.js";
import { createDocuments, type Documents } from "../../http/documents/documents.js";
import { StoryExamples } from "../../http/documents/story-examples.js";
import { liteContent } from "../../methods/lite/content.js";
import { createCallLog, type LogFormat } from "../../observe/log.js";
import { bind, type Methods } from "../../rpc/bind.js";
import { AnswerCache, type Head } from "../../rpc/cache.js";
import { Dispatcher } from "../../rpc/dispatch.js";
import { Faults } from "../../rpc/fault-injection.js";
import { internalCalls } from "../../rpc/internal-calls.js";
import { JsonRpc } from "../../rpc/json-rpc/json-rpc.js";
import type { Context } from "../context/context.js";
import type { Network } from "./network.js";
import { version } from "./version.js";

/** The parts that answer calls, on every transport. */
type RpcParts = {
  documents: Documents;
  methods: Methods;
  dispatcher: Dispatcher;
  rpc: JsonRpc;
};

/** Each of the four stores of cached answers; less on a small heap. */
const cacheBytes = Math.min(64 * 1024 * 1024, getHeapStatistics().heap_size_limit / 8);

export function createRpc(context: Context, chain: Network): RpcParts {
  const { config, fallback } = context;
  const discover = async () => {
    await documents.edition();
    return documents.discovery;
  };
  const rpcMethods = { ping: () => "pong" as const, discover };
  const methods = bind(registry, { ...chain.implementations, rpc: rpcMethods }, config.network, {
    "lite.query": liteContent,
  });
  const cache = new AnswerCache({
    maxBytes: cacheBytes,
    chain: chain.head,
    index: namedHead(chain),
    isChainLocal: chain.isLocal,
  });
  const closing = context.closers.add(new AbortController(), (each) => each.abort());
  const { signal } = closing;
  const story = new StoryExamples({
    // The documents are made once, on however slow a machine.
    call: internalCalls(methods, { signalOf: () => signal, caller: serviceItself }),
    hasIndex: config.index,
    failed: (error) => {
      if (!signal.aborted) fallback("document-examples", error);
    },
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
  const dispatcher = createDispatcher(context, cache, chain);
  return {
    documents,
    methods,
    dispatcher,
    rpc: new JsonRpc({ methods, dispatcher, maxBatch: config.maxBatch }),
  };
}

/** The head of the index. Its answers have the names of accounts, so that each change of these counts as a new head. */
function namedHead({ indexing: { head }, setup }: Network): Head {
  if (!setup) return head;
  let edition = 0;
  setup.onChange(() => edition++);
  return {
    get current() {
      const { current } = head;
      return current && edition > 0 ? `${current} ${edition}` : current;
    },
    get version() {
      return head.version;
    },
  };
}

/** Calls are counted and logged; those to a devnet may get faults and are recorded. */
function createDispatcher(
  context: Context,
  cache: AnswerCache,
  { setup, artifacts }: Pick<Network, "setup" | "artifacts">,
): Dispatcher {
  const { config, calls, metrics, now, random } = context;
  const conditions = { latencyMs: config.latency, failRate: config.failRate };
  const faults = new Faults(random, () => setup?.current.conditions ?? conditions);
  const logCall = callLogOf(context);
  return new Dispatcher({
    cache,
    callTimeoutMs: config.callTimeoutMs,
    now,
    newRequestId: randomUUID,
    report: (report) => {
      metrics.called(report);
      logCall(report);
    },
    cacheRead: metrics.cacheRead,
    viewOf: (owner) => artifacts.viewOf(owner),
    ...(config.network === "devnet" && { faults: () => faults.current }),
    record:
      calls &&
      (({ owner, method, params, durationMs, code = "ok", exitMeaning }) => {
        // Polling of the history would fill the history itself.
        if (method === "devnet.calls") return;
        calls.add({ owner, at: now(), method, params, durationMs, outcome: code, exitMeaning });
      }),
  });
}

function callLogOf({ config, live, log, logFormat, random, now }: Context) {
  const settings = () => {
    const { logSample = defaultLogSample(config, logFormat), slowMs, logParams } = live.current;
    return { logSample, slowMs, logParams };
  };
  return createCallLog(log, { settings, random, now });
}

/** A developer at a terminal sees all calls to a devnet. */
function defaultLogSample({ network }: Config, format: LogFormat): number {
  return network === "devnet" && format === "pretty" ? 1 : 0.01;
}
