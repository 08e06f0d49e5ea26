import { kernelThreadId, threadCpuMs } from "../../server/os/thread-clock.js";

/** Runs that a measurement takes at most, because other work of the same thread may fall into one of them. */
const maxRuns = 3;

/** Processor time of this thread while something runs, in milliseconds: other processes and threads do not count. */
export function cpuMs(run: () => void): number {
  const before = usedMs();
  run();
  return usedMs() - before;
}

/** As `cpuMs`, until a promise is settled. If it takes the limit or more, the least of some runs. */
export async function cpuMsUntil(limitMs: number, run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < maxRuns && least >= limitMs; runs++) {
    const before = usedMs();
    await run();
    least = Math.min(least, usedMs() - before);
  }
  return least;
}

/** CPU time of all threads on systems without a figure for one thread. */
function usedMs(): number {
  const thread = kernelThreadId();
  const ofThread = thread === undefined ? undefined : threadCpuMs(thread);
  if (ofThread !== undefined) return ofThread;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
