import type { Methods } from "./api.js";
import type { CallOptions } from "./call-options.js";
import type { Caller } from "./caller.js";
import { CallsInFlight } from "./calls-in-flight.js";
import { defaultMaxAnswerBytes, defaultTimeoutMs, platformClock } from "./defaults.js";
import { abortedBy, closedByCaller, type RpcError } from "./errors.js";
import { defaultRetry, type RetryOptions, retrying } from "./retry.js";
import { BatchQueue } from "./transports/queue.js";
import type { BatchOptions, Clock, Heard, RateLimit, TransportFactory } from "./transports/transport.js";

/** Batching of `createClient` unless `batch` overrides it. */
export const defaultBatch: BatchOptions = { maxCalls: 50, maxBytes: 256 * 1024, waitMs: 0 };

/** Options of `createClient`; only `transport` is required. */
export type ClientOptions = {
  /** `http(url)`, `webSocket(url)` or `fallback([...])`. */
  readonly transport: TransportFactory;
  /** Sent as the header `X-API-Key`, or in the URL by WebSockets in browsers. */
  readonly apiKey?: string | undefined;
  /** Batching limits; `false` sends each call as its own request. */
  readonly batch?: Partial<BatchOptions> | false | undefined;
  /** Retry policy for failed reads; `false` disables retries. */
  readonly retry?: Partial<RetryOptions> | false | undefined;
  /** Default deadline of a call in ms, including retries; 0 for none. */
  readonly timeoutMs?: number | undefined;
  /** Known rate limit to stay below. Without it, the limit is learned from 429 answers. */
  readonly rateLimit?: RateLimit | undefined;
  /** Whether equal reads in flight share one request. */
  readonly dedupe?: boolean | undefined;
  /** Longer answers are rejected with code `answer-too-large`. */
  readonly maxAnswerBytes?: number | undefined;
  /** Closes the client when it fires. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, replaceable in tests. */
  readonly clock?: Clock | undefined;
  /** Random source, 0 to 1; replaceable in tests. */
  readonly random?: (() => number) | undefined;
};

/** Every method of the registry as a function, plus `call` and `close`. */
export type Client = Methods & Caller;

/** The full client: batches, retries, request sharing and rate limiting on top of a transport. */
export function createClient({
  transport: connect,
  apiKey,
  timeoutMs = defaultTimeoutMs,
  maxAnswerBytes = defaultMaxAnswerBytes,
  rateLimit,
  dedupe = true,
  signal,
  clock = platformClock,
  random = Math.random,
  retry = {},
  batch = {},
}: ClientOptions): Client {
  let lastId = 0;
  const nextId = () => ++lastId;
  const portions: BatchOptions = { ...defaultBatch, ...(batch || { maxCalls: 1 }) };
  const transport = connect({
    apiKey,
    maxAnswerBytes,
    clock,
    random,
    nextId,
    heard: (...message) => own.watch?.heard(...message),
    queue: (endpoint) => new BatchQueue({ batch: portions, rateLimit, clock, nextId }, endpoint),
  });
  const tries: RetryOptions = { ...defaultRetry, ...(retry || { tries: 0 }) };
  const callsInFlight = new CallsInFlight({
    clock,
    timeoutMs,
    dedupe,
    run: (...call) => retrying(transport, tries, { clock, random }, ...call),
  });
  const end = (why: () => RpcError) => {
    signal?.removeEventListener("abort", abort);
    callsInFlight.close(why);
    transport.close();
  };
  const abort = () => end(() => abortedBy(signal!, "the client"));
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  const own: Own = {
    call: callsInFlight.call.bind(callsInFlight),
    close: () => end(closedByCaller),
  };
  return members(own, own.call, "") as unknown as Client;
}

/** Members of a client other than methods. */
type Own = Caller & {
  /** Set by `watch` of `tonwire/watch`, which is a separate entry to keep bundles small. */
  watch?: { readonly heard: Heard };
};

type Invoke = (method: string, params?: object, options?: CallOptions) => Promise<unknown>;

/** A Proxy that turns property paths into method names, so that the client needs no method list. */
function members(target: object, invoke: Invoke, path: string): object {
  const made: Record<string, object> = {};
  return new Proxy(target, {
    get(_, key) {
      // `then` would make `await` treat the client as a promise, `toJSON` would make JSON.stringify call it.
      if (key in target || typeof key !== "string" || /^(then|toJSON)$/.test(key))
        return target[key as never];
      const name = path + key;
      made[key] ??= members(
        (params?: object, options?: CallOptions) => invoke(name, params, options),
        invoke,
        `${name}.`,
      );
      return made[key];
    },
  });
}
