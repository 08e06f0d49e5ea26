import { kernelThreadId, threadCpuMs } from "../../server/os/thread-clock.js";

/** Runs that a measurement takes at most. */
const maxRuns = 3;

/**
 * Processor time of this thread while something runs, in milliseconds: other processes and threads do not count. If it takes
 * the limit or more, the least of some runs: a pause of the whole machine, or other work of the thread, may fall into one.
 */
export function cpuMs(limitMs: number, run: () => void): number {
  return leastCpuMs(limitMs, () => {}, run);
}

/** As `cpuMs`, for a run that takes something which is made before each. */
export function leastCpuMs<Given>(
  limitMs: number,
  given: () => Given,
  run: (given: Given) => void,
  runs = maxRuns,
): number {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < runs && least >= limitMs; count++) {
    const value = given();
    const before = usedMs();
    run(value);
    least = Math.min(least, usedMs() - before);
  }
  return least;
}

/** As `cpuMs`, until a promise is settled. */
export async function cpuMsUntil(limitMs: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < maxRuns && least >= limitMs; runs++) {
    const before = usedMs();
    await run();
    least = Math.min(least, usedMs() - before);
  }
  return least;
}

/** The most processor time of this thread without a turn of the event loop, until a promise is settled, in milliseconds. */
export async function longestTurnMs(limitMs: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < maxRuns && least >= limitMs; runs++) least = Math.min(least, await turnMs(run));
  return least;
}

async function turnMs(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = usedMs();
  const look = () => {
    const now = usedMs();
    longest = Math.max(longest, now - before);
    before = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await run().finally(() => {
    isOver = true;
  });
  look();
  return longest;
}

/** CPU time of all threads on systems without a figure for one thread. */
function usedMs(): number {
  const thread = kernelThreadId();
  const ofThread = thread === undefined ? undefined : threadCpuMs(thread);
  if (ofThread !== undefined) return ofThread;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
