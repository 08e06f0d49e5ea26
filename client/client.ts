import type { Caller, CallOptions } from "./caller.js";
import { defaultMaxAnswerBytes, defaultTimeoutMs, platformClock } from "./defaults.js";
import { abortedBy, closedByCaller, type RpcError } from "./errors.js";
import { Flights } from "./flights.js";
import type { Methods } from "./registry-types.js";
import { defaultRetry, type RetryOptions, retrying } from "./retry.js";
import { BatchQueue } from "./transports/queue.js";
import type { BatchOptions, Clock, RateLimit, TransportFactory } from "./transports/transport.js";

export const defaultBatch: BatchOptions = { maxCalls: 50, maxBytes: 256 * 1024, waitMs: 0 };

export type ClientOptions = {
  /** `http(url)`, `webSocket(url)` or `fallback([...])`. */
  readonly transport: TransportFactory;
  /** Sent as `X-API-Key`; a browser's WebSocket sends it in the URL. */
  readonly apiKey?: string | undefined;
  /** How calls are put together into requests; `false` sends each by itself. */
  readonly batch?: Partial<BatchOptions> | false | undefined;
  /** How often and when failed reads are tried again; `false` for never. */
  readonly retry?: Partial<RetryOptions> | false | undefined;
  /** Longest time of a call, further tries included; 0 for any. */
  readonly timeoutMs?: number | undefined;
  /** Keeps under a limit that is known; one that is not is learned from refusals. */
  readonly rateLimit?: RateLimit | undefined;
  /** Whether equal reads that are under way at the same time are one. */
  readonly dedupe?: boolean | undefined;
  readonly maxAnswerBytes?: number | undefined;
  /** Closes the client. */
  readonly signal?: AbortSignal | undefined;
  /** Time and chance, for tests. */
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
};

/** A client: every method of the registry as a function, and `call`. */
export type Client = Methods & Caller;

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
    queue: (endpoint) => new BatchQueue({ batch: portions, rateLimit, clock, nextId }, endpoint),
  });
  const tries: RetryOptions = { ...defaultRetry, ...(retry || { tries: 0 }) };
  const flights = new Flights({
    clock,
    timeoutMs,
    dedupe,
    run: (call) => retrying(call, (each) => transport.request(each), tries, { clock, random }),
  });
  const end = (why: () => RpcError) => {
    signal?.removeEventListener("abort", abort);
    flights.close(why);
    transport.close();
  };
  const abort = () => end(() => abortedBy(signal!));
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort);
  const own = {
    call: flights.call.bind(flights),
    close: () => end(closedByCaller),
  };
  return members(own, own.call, "") as unknown as Client;
}

type Invoke = (method: string, params?: object, options?: CallOptions) => Promise<unknown>;

/** Turns property paths into method names, so that the client carries no list of methods. */
function members(target: object, invoke: Invoke, path: string): object {
  const made: Record<string, object> = {};
  return new Proxy(target, {
    get(_, key) {
      // A client that an async function returns must not be taken for a promise, nor one that is printed for a date.
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
