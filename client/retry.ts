import type { Call } from "./call.js";
import { isRpcError, type RpcError } from "./errors.js";
import type { Clock } from "./transports/transport.js";

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
  call: Call,
  request: (call: Call) => Promise<unknown>,
  options: RetryOptions,
  { clock, random }: { readonly clock: Clock; readonly random: () => number },
): Promise<unknown> {
  const attempt = (tried: number): Promise<unknown> =>
    request(call).catch(async (error: unknown) => {
      if (tried >= options.tries || !mayRepeat(call, error)) throw error;
      const delay = Math.max(error.retryAfterMs ?? 0, random() * backOff(options, tried));
      if (clock.now() + delay >= call.deadline) throw error;
      await pause(delay, call, clock);
      return attempt(tried + 1);
    });
  return attempt(0);
}

/** Exponential backoff in ms: doubles with each earlier failure, up to `maxMs`. */
export function backOff({ baseMs, maxMs }: Pick<RetryOptions, "baseMs" | "maxMs">, failures: number): number {
  return Math.min(maxMs, baseMs * 2 ** failures);
}

/** A call with side effects is repeated only if it certainly was not executed. */
function mayRepeat(call: Call, error: unknown): error is RpcError {
  return (
    isRpcError(error) && !!(call.effect ? error.code === "rate-limited" || error.unsent : error.retryable)
  );
}

/** Never settles if the call is abandoned meanwhile. */
function pause(ms: number, call: Call, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    call.whenAbandoned(() => clock.clearTimeout(timer));
  });
}
