// A thread that computes for as long as it is asked to, and measures itself.
import { parentPort } from "node:worker_threads";
import { threadClock } from "../../server/os/thread-clock.js";

/** In milliseconds: by the thread's clock and by the wall clock. */
export type Computed = { measured: number; wall: number };

const now = threadClock();
parentPort!.once("message", ({ ms }: { ms: number }) => {
  const [before, start] = [now(), performance.now()];
  while (performance.now() - start < ms);
  parentPort!.postMessage({ measured: now() - before, wall: performance.now() - start } satisfies Computed);
});
parentPort!.postMessage("ready");
