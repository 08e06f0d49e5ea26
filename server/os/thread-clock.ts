import { openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { basename } from "node:path";
import { unlessRefused } from "./unless-refused.js";

/** Milliseconds by a clock that never goes back. */
export type Clock = () => number;

const bytesOfStatistics = 64;
const space = 0x20;

/**
 * A clock of the calling thread whose differences are the CPU time of code between two readings that computes and does not
 * block. Where the system does not tell how long a thread waited or ran, it is the wall clock.
 *
 * On Linux it is the wall clock without the time that the thread waited for a processor. The kernel's count of a thread's
 * CPU time, which `process.threadCpuUsage` reads too, may be as coarse as a tick of the scheduler, 4 ms; the count of
 * waiting is exact. A reading takes some microseconds.
 */
export function threadClock(): Clock {
  return waitlessClock() ?? usageClock() ?? (() => performance.now());
}

/** Node closes the file, which only Linux has, when the thread ends. */
function waitlessClock(): Clock | undefined {
  const buffer = Buffer.alloc(bytesOfStatistics);
  return unlessRefused(() => {
    // Time on a processor and time waiting for one in nanoseconds, and the number of time slices.
    const file = openSync("/proc/thread-self/schedstat", "r");
    const waitedMs = () => {
      readSync(file, buffer, 0, bytesOfStatistics, 0);
      const start = buffer.indexOf(space) + 1;
      return Number(buffer.toString("latin1", start, buffer.indexOf(space, start))) / 1e6;
    };
    const now = () => {
      // A thread that waits between the two readings would read a time that is earlier than the one before.
      for (let waited = waitedMs(); ; ) {
        const wall = performance.now();
        const then = waited;
        waited = waitedMs();
        if (waited === then) return wall - waited;
      }
    };
    return Number.isFinite(waitedMs()) ? now : undefined;
  });
}

/** From Node 22.19 and 23.9 on. */
function usageClock(): Clock | undefined {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (!threadCpuUsage) return undefined;
  return () => {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  };
}

/** The kernel's id of the calling thread; undefined where the system has no such id (everywhere but on Linux). */
export function kernelThreadId(): string | undefined {
  return unlessRefused(() => basename(readlinkSync("/proc/thread-self")));
}

/** CPU time of a thread of this process in milliseconds; undefined if the thread or the information does not exist. */
export function threadCpuMs(id: string): number | undefined {
  return unlessRefused(() => {
    const [nanoseconds] = readFileSync(`/proc/self/task/${id}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  });
}
