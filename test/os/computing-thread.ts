// A thread that computes for as long as it is asked to, and measures itself.
import { parentPort } from "node:worker_threads";
import { threadClock } from "../../server/os/thread-clock.js";

/** In milliseconds: by the thread's clock and by the wall clock; and how often the thread's clock went back. */
export type Computed = { measured: number; wall: number; timesBack: number };

/** The kernel counts waiting by a clock that runs a little differently from the wall clock. */
const differenceMs = 1;

const now = threadClock();
parentPort!.once("message", ({ ms }: { ms: number }) => {
  const start = performance.now();
  const before = now();
  let timesBack = 0;
  for (let last = before; performance.now() - start < ms; ) {
    const next = now();
    if (next < last - differenceMs) timesBack++;
    last = next;
  }
  const measured = now() - before;
  parentPort!.postMessage({ measured, wall: performance.now() - start, timesBack } satisfies Computed);
});
parentPort!.postMessage("ready");
