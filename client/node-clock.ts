import { platformClock } from "./defaults.js";
import type { Clock } from "./transports/transport.js";

const { process } = globalThis as { process?: { nextTick?: (run: () => void) => void } };

/** What waits for no time waits for the end of the macrotask. In Node that is cheaper than a turn of the event loop. */
export const nodeClock: Clock = {
  ...platformClock,
  setTimeout(run, ms) {
    if (ms > 0 || !process?.nextTick) return platformClock.setTimeout(run, ms);
    // A tick that is asked for by a microtask comes after all microtasks.
    return Promise.resolve(run).then(process.nextTick);
  },
};
