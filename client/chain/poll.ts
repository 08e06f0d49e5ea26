import type { CallOptions } from "../call-options.js";
import { defaultPollMs, defaultTimeoutMs, defaultWaitMs, platformClock } from "../defaults.js";
import { abortedBy, awaited, isRpcError, RpcError } from "../errors.js";
import type { Clock } from "../transports/transport.js";

/** Options of `sendAndWait` and `waitForSeqno`. */
export type PollOptions = {
  /** Longest poll interval; the first ones are shorter. Default: `defaultPollMs`. */
  readonly everyMs?: number | undefined;
  /** Total time to wait; 0 for no limit. Default: `defaultWaitMs`. */
  readonly timeoutMs?: number | undefined;
  /** Ends the wait with code `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Clock, replaceable in tests. */
  readonly clock?: Clock | undefined;
};

/** Announces when to look again. */
export interface News {
  /** Whether changes are announced, so that polling is only a precaution. */
  readonly isLive: boolean;
  /**
   * Called before each pause. Resolves when it is time to look again; a promise that never resolves leaves it to the
   * pause.
   */
  next(): Promise<unknown>;
}

const firstPollMs = 50;
const pollGrowth = 1.5;
/** Poll interval beside live news. */
const quietPollMs = 5000;

/** Deadline of a wait that begins now, in ms of its clock. */
export function endOf({ timeoutMs = defaultWaitMs, clock = platformClock }: PollOptions): number {
  return timeoutMs > 0 ? clock.now() + timeoutMs : Infinity;
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
  news?: News,
): Promise<T> {
  const { everyMs = defaultPollMs, signal, clock = platformClock } = options;
  const firstMs = Math.min(firstPollMs, everyMs);
  let waitMs = firstMs;
  let cause: unknown;
  for (;;) {
    // Before the question, so that no change during it is missed.
    const changed = news?.next();
    try {
      const found = await ask();
      if (found !== undefined) return found;
      cause = undefined;
    } catch (error) {
      if (!isRpcError(error) || !(error.retryable || error.code === "timeout")) throw error;
      cause = error;
    }
    const leftMs = end - clock.now();
    // Quicker again towards the end, whose last look would come too late.
    const nextMs = news?.isLive ? Math.max(everyMs, quietPollMs) : waitMs;
    const pauseMs = Math.min(nextMs, Math.max(firstMs, leftMs / 2));
    if (pauseMs > leftMs) throw new RpcError("timeout", `timed out waiting for ${what}`, { cause });
    const isNews = await awaited(pause(pauseMs, signal, clock, changed));
    waitMs = isNews ? firstMs : Math.min(waitMs * pollGrowth, everyMs);
  }
}

/** Resolves after a time, or with true when there is news. */
function pause(
  ms: number,
  signal: AbortSignal | undefined,
  clock: Clock,
  changed: Promise<unknown> | undefined,
): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const settle = (run: () => void) => {
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
      run();
    };
    const abort = () => settle(() => reject(abortedBy(signal!, "the wait")));
    const timer = clock.setTimeout(() => settle(() => resolve(false)), ms);
    void changed?.then(() => settle(() => resolve(true)));
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  });
}
