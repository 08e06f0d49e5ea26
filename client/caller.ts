import { Call, withoutBigint } from "./call.js";
import type { CallOptions } from "./call-options.js";
import { defaultMaxAnswerBytes, defaultTimeoutMs, platformClock } from "./defaults.js";
import { abortedBy, awaited, closedByCaller, type RpcError, timedOut } from "./errors.js";
import type { Arguments, MethodName, Result } from "./registry-types.js";
import { settle } from "./transports/answer.js";
import type { TransportFactory } from "./transports/transport.js";

/** Calls methods by name: implemented by `createClient` and by the minimal `createCaller`. */
export interface Caller {
  /** Calls a method by its JSON-RPC name. */
  call<Name extends MethodName>(method: Name, ...args: Arguments<Name>): Promise<Result<Name>>;
  /** Calls a method that is not in this package's registry. */
  call<Name extends string>(
    method: Name extends MethodName ? never : Name,
    params?: object,
    options?: CallOptions,
  ): Promise<unknown>;
  /** Rejects calls in flight with code `closed` and releases connections and timers. */
  close(): void;
}

/** Options of `createCaller`. */
export type CallerOptions = {
  /** `http(url)`; other transports work too. */
  readonly transport: TransportFactory;
  /** Sent as the header `X-API-Key`. */
  readonly apiKey?: string | undefined;
  /** Default deadline of a call in ms; 0 for none. */
  readonly timeoutMs?: number | undefined;
};

/**
 * The smallest client: one request per call, without batches, retries or request sharing. Use it where bundle size
 * matters most, and `createClient` everywhere else.
 */
export function createCaller({
  apiKey,
  timeoutMs: defaultMs = defaultTimeoutMs,
  ...options
}: CallerOptions): Caller {
  const waiting = new Set<(error: RpcError) => void>();
  let lastId = 0;
  const nextId = () => ++lastId;
  const transport = options.transport({
    apiKey,
    maxAnswerBytes: defaultMaxAnswerBytes,
    clock: platformClock,
    random: Math.random,
    nextId,
    queue: ({ post }) => ({
      add: (call) => new Promise((resolve, reject) => post([{ call, id: nextId(), resolve, reject }], false)),
      settle,
      halve() {},
      close() {},
    }),
  });
  const settled = (
    method: string,
    params: object = {},
    { signal, timeoutMs = defaultMs }: CallOptions = {},
  ) =>
    new Promise((resolve, reject) => {
      const made = new Call(method, JSON.stringify(params, withoutBigint));
      const leave = (error: RpcError) => {
        reject(error);
        end();
        made.abandon();
      };
      const abort = () => leave(abortedBy(signal!, method));
      const late = () => leave(timedOut(method, timeoutMs));
      const timer = timeoutMs && platformClock.setTimeout(late, timeoutMs);
      const end = () => {
        platformClock.clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
        waiting.delete(leave);
      };
      if (signal?.aborted) return abort();
      signal?.addEventListener("abort", abort);
      waiting.add(leave);
      transport.request(made).then(resolve, reject).then(end);
    });
  return {
    call: (method: string, params?: object, options?: CallOptions) =>
      awaited(settled(method, params, options), method, params),
    close() {
      for (const leave of waiting) leave(closedByCaller());
      transport.close();
    },
  };
}
