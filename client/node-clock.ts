import { platformClock } from "./defaults.js";
import type { Clock } from "./transports/transport.js";

const { process } = globalThis as { process?: { nextTick?: (run: () => void) => void } };

/** Zero delays run at the end of the current macrotask, which in Node is cheaper than a timer. */
export const nodeClock: Clock = {
  ...platformClock,
  setTimeout(run, ms) {
    if (ms > 0 || !process?.nextTick) return platformClock.setTimeout(run, ms);
    // process.nextTick called from a microtask runs after all pending microtasks.
    return Promise.resolve(run).then(process.nextTick);
  },
};
