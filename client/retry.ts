import type { Call } from "./call.js";
import { isRpcError } from "./errors.js";
import type { Clock, Transport } from "./transports/transport.js";

/** Retry policy for failed reads. */
export type RetryOptions = {
  /** Retries after the first attempt. */
  readonly tries: number;
  /** Exponential backoff with full jitter: `random * min(maxMs, baseMs * 2^n)`, but at least `Retry-After`. */
  readonly baseMs: number;
  /** Longest delay in ms, unless `Retry-After` is longer. */
  readonly maxMs: number;
};

/** Retry policy of `createClient` unless `retry` overrides it. */
export const defaultRetry: RetryOptions = { tries: 3, baseMs: 200, maxMs: 10_000 };

/** Repeats a request until it succeeds, fails for good, or the next retry would miss the deadline. */
export function retrying(
  transport: Pick<Transport, "request">,
  options: RetryOptions,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
  call: Call,
  resolve: (result: unknown) => void,
  reject: (error: unknown) => void,
): void {
  const attempt = (tried: number): void => {
    transport.request(call).then(resolve, (error: unknown) => {
      // A call with side effects is repeated only if it certainly was not executed.
      const mayRepeat =
        isRpcError(error) && (call.effect ? error.code === "rate-limited" || error.unsent : error.retryable);
      if (tried < options.tries && mayRepeat) {
        const delay = Math.max(error.retryAfterMs ?? 0, random() * backOff(options, tried));
        if (clock.now() + delay < call.deadline) {
          const timer = clock.setTimeout(() => attempt(tried + 1), delay);
          return call.whenAbandoned(() => clock.clearTimeout(timer));
        }
      }
      reject(error);
    });
  };
  attempt(0);
}

/** Exponential backoff in ms: doubles with each earlier failure, up to `maxMs`. */
export function backOff({ baseMs, maxMs }: Pick<RetryOptions, "baseMs" | "maxMs">, failures: number): number {
  return Math.min(maxMs, baseMs * 2 ** failures);
}
