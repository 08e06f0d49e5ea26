import { type LiteCall, LiteError, liteErrorCode } from "./lite-api.js";
import type { ServedChain } from "./serve/served-chain.js";

const maxWaitMs = 10_000;
/** How far ahead of the chain a caller may wait. */
const maxAhead = 100;

/** What the waiting goes by; `Date.now` and `setTimeout` outside tests. */
export type Timers = { now(): number; after(ms: number, callback: () => void): () => void };

/** A timer that goes off later than this shows that the whole process stood still. */
const standstillMs = 250;
/** For how long at most such a timer waits for what came meanwhile. */
const graceMs = 3000;

export const systemTimers: Timers = {
  now: Date.now,
  after(ms, callback) {
    const due = performance.now() + ms;
    let timer = setTimeout(() => {
      const lateMs = performance.now() - due;
      if (lateMs < standstillMs) return callback();
      // Answers may have come meanwhile that nobody could read: sockets have their turn after timers.
      timer = setTimeout(callback, Math.min(lateMs, ms, graceMs));
    }, ms);
    return () => clearTimeout(timer);
  },
};

/** Runs a query as its caller wants it: once the block waited for is there, and not beyond deadline and signal. */
export async function runCall<T>(
  chain: ServedChain,
  timers: Timers,
  call: LiteCall,
  run: () => Promise<T>,
): Promise<T> {
  if (call.waitSeqno !== undefined) await waitForSeqno(chain, timers, call, call.waitSeqno);
  if (call.signal?.aborted) throw cancelled();
  if (!call.signal && call.deadline === undefined) return run();
  return race(timers, call, call.deadline, run);
}

async function waitForSeqno(
  chain: ServedChain,
  timers: Timers,
  call: LiteCall,
  seqno: number,
): Promise<void> {
  if (chain.last.seqno >= seqno) return;
  if (seqno > chain.last.seqno + maxAhead)
    throw new LiteError(liteErrorCode.notReady, "too big masterchain block seqno");
  const deadline = Math.min(call.deadline ?? Number.POSITIVE_INFINITY, timers.now() + maxWaitMs);
  let stop = () => {};
  const arrived = () =>
    new Promise<void>((resolve) => {
      stop = chain.onChange(() => chain.last.seqno >= seqno && resolve());
    });
  await race(timers, call, deadline, arrived).finally(() => stop());
}

function race<T>(
  timers: Timers,
  { signal }: LiteCall,
  deadline: number | undefined,
  run: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => settle(() => reject(cancelled()));
    const stopTimer =
      deadline === undefined
        ? () => {}
        : timers.after(Math.max(0, deadline - timers.now()), () => settle(() => reject(timedOut())));
    function settle(finish: () => void): void {
      stopTimer();
      signal?.removeEventListener("abort", abort);
      finish();
    }
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) return abort();
    run().then(
      (value) => settle(() => resolve(value)),
      (error) => settle(() => reject(error)),
    );
  });
}

function timedOut(): LiteError {
  return new LiteError(liteErrorCode.timeout, "timeout");
}

function cancelled(): LiteError {
  return new LiteError(liteErrorCode.cancelled, "cancelled");
}
