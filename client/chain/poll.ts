import type { CallOptions } from "../caller.js";
import { defaultPollMs, defaultTimeoutMs, defaultWaitMs, platformClock } from "../defaults.js";
import { abortedBy, isRpcError, RpcError } from "../errors.js";
import type { Clock } from "../transports/transport.js";

export type PollOptions = {
  readonly everyMs?: number | undefined;
  /** How long in all; 0 for any time. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
};

/** When a wait that begins now is over, ms of its clock. */
export function endOf({ timeoutMs = defaultWaitMs, clock = platformClock }: PollOptions): number {
  return timeoutMs > 0 ? clock.now() + timeoutMs : Number.POSITIVE_INFINITY;
}

/** For a call that is made while waiting: it ends with the wait, if not before. */
export function meanwhile({ signal, clock = platformClock }: PollOptions, end: number): CallOptions {
  const leftMs = Math.max(1, end - clock.now());
  return { signal, timeoutMs: leftMs < defaultTimeoutMs ? leftMs : undefined };
}

/** Asks until there is an answer. A service that is not to be had for a while is waited for, too. */
export async function poll<T>(
  what: string,
  ask: () => Promise<T | undefined>,
  options: PollOptions,
  end: number,
): Promise<T> {
  const { everyMs = defaultPollMs, signal, clock = platformClock } = options;
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
