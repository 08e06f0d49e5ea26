import { defaultPollMs, defaultWaitMs, platformClock } from "../defaults.js";
import { abortedBy, isRpcError, RpcError } from "../errors.js";
import type { Clock } from "../transports/transport.js";

export type PollOptions = {
  readonly everyMs?: number | undefined;
  /** How long in all. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
};

/** Asks until there is an answer. A service that is not to be had for a while is waited for, too. */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  { everyMs = defaultPollMs, timeoutMs = defaultWaitMs, signal, clock = platformClock }: PollOptions,
): Promise<T> {
  const end = clock.now() + timeoutMs;
  let cause: unknown;
  for (;;) {
    try {
      const found = await ask();
      if (found !== undefined) return found;
      cause = undefined;
    } catch (error) {
      if (!isRpcError(error) || !(error.retryable || error.code === "timeout")) throw error;
      cause = error;
    }
    if (clock.now() + everyMs > end) throw new RpcError("timeout", `waited for ${what} in vain`, { cause });
    await pause(everyMs, signal, clock);
  }
}

function pause(ms: number, signal: AbortSignal | undefined, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clock.clearTimeout(timer);
      reject(abortedBy(signal!));
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
