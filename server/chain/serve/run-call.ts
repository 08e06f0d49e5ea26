import { type LiteCall, LiteError, liteErrorCode } from "../../../shared/ton/lite/lite-api.js";
import type { ServedChain } from "../../../shared/ton/proofs/make/served-chain.js";
import type { Timers } from "../../../shared/values/timers.js";

const maxWaitMs = 10_000;
/** Maximum distance past the newest block for which callers can wait. */
const maxAhead = 100;

/**
 * Runs a query once the chain has block `call.waitSeqno`. Rejects with 652 at the deadline, with 653 when the signal
 * aborts, with 651 if the block is more than 100 ahead of the chain.
 */
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
