import type { Call } from "./call.js";
import { isRpcError, type RpcError } from "./errors.js";
import type { Clock } from "./transports/transport.js";

export type RetryOptions = {
  /** Further tries after the first. */
  readonly tries: number;
  /** The n-th waits a random part of `baseMs` doubled n times, at most of `maxMs`, and what the service asks for. */
  readonly baseMs: number;
  readonly maxMs: number;
};

export const defaultRetry: RetryOptions = { tries: 3, baseMs: 200, maxMs: 10_000 };

/** Tries until there is an answer, an error that stays, or no time left for another try. */
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

/** Doubles with each failure before. */
export function backOff({ baseMs, maxMs }: Pick<RetryOptions, "baseMs" | "maxMs">, failures: number): number {
  return Math.min(maxMs, baseMs * 2 ** failures);
}

/** What has an effect is repeated only when it certainly had none. */
function mayRepeat(call: Call, error: unknown): error is RpcError {
  return (
    isRpcError(error) && !!(call.effect ? error.code === "rate-limited" || error.unsent : error.retryable)
  );
}

/** Stays unsettled when the call is abandoned meanwhile. */
function pause(ms: number, call: Call, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.setTimeout(resolve, ms);
    call.whenAbandoned(() => clock.clearTimeout(timer));
  });
}
