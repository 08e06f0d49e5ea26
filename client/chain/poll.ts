import type { CallOptions } from "../call-options.js";
import { defaultPollMs, defaultTimeoutMs, defaultWaitMs, platformClock } from "../defaults.js";
import { abortedBy, isRpcError, RpcError } from "../errors.js";
import type { Clock } from "../transports/transport.js";

/** Options of `sendAndWait` and `waitForSeqno`. */
export type PollOptions = {
  /** Poll interval. Default: `defaultPollMs`. */
  readonly everyMs?: number | undefined;
  /** Total time to wait; 0 for no limit. Default: `defaultWaitMs`. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait with code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, replaceable in tests. */
  readonly clock?: Clock | undefined;
};

/** Deadline of a wait that begins now, in ms of its clock. */
export function endOf({ timeoutMs = defaultWaitMs, clock = platformClock }: PollOptions): number {
  return timeoutMs > 0 ? clock.now() + timeoutMs : Number.POSITIVE_INFINITY;
}

/** Options for a call made while polling: it must not outlive the wait. */
export function meanwhile({ signal, clock = platformClock }: PollOptions, end: number): CallOptions {
  const leftMs = Math.max(1, end - clock.now());
  return { signal, timeoutMs: leftMs < defaultTimeoutMs ? leftMs : undefined };
}

/** Polls until `ask` returns a value. Retryable errors of the service do not end the wait. */
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
    if (clock.now() + everyMs > end)
      throw new RpcError("timeout", `timed out waiting for ${what}`, { cause });
    await pause(everyMs, signal, clock);
  }
}

function pause(ms: number, signal: AbortSignal | undefined, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clock.clearTimeout(timer);
      reject(abortedBy(signal!, "the wait"));
    };
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}
