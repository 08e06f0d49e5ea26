import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** The kernel's id of the calling thread; undefined where the system has no such id (everywhere but on Linux). */
export function kernelThreadId(): string | undefined {
  try {
    return basename(readlinkSync("/proc/thread-self"));
  } catch {
    // Only Linux has the file, and only while the thread runs.
    return undefined;
  }
}

/** CPU time of a thread of this process in milliseconds; undefined if the thread or the information does not exist. */
export function threadCpuMs(id: string): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${id}/schedstat`, "utf8").split(" ");
    return Number(nanoseconds) / 1e6;
  } catch {
    // Only Linux has the file, and only while the thread runs.
    return undefined;
  }
}
