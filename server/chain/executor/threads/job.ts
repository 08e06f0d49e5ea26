import type { Cell } from "../../../../shared/ton/cells/cell.js";
import type { EmulatorCall } from "../calls.js";
import type { ExecutorError } from "../executor-error.js";
import type { ExecutorThread, MeasuredOutput } from "./executor-thread.js";
import type { Settle, Share } from "./fair-queue.js";

/** One run of a job in a thread. */
export type JobRun = {
  readonly thread: ExecutorThread;
  settle: Settle;
  /** Whether the thread has to load the configuration first. */
  readonly isCold: boolean;
  /** CPU time of the thread before the run. */
  cpuMsBefore?: number | undefined;
  /** By `performance.now`, when the thread was ready for it. */
  startedAt?: number;
  timer?: NodeJS.Timeout;
};

/** A call that waits or runs. */
export type Job = {
  readonly call: EmulatorCall;
  readonly config: Cell;
  readonly share: Share;
  /** Key of its remembered cost. */
  readonly subject: string | undefined;
  /** Receives the CPU time of each of its runs. */
  readonly spent: ((cpuMs: number) => void) | undefined;
  /** From the call to its end. */
  readonly deadlineMs: number;
  /** Longest run, without waiting. */
  readonly maxCpuMs: number;
  timer: NodeJS.Timeout;
  /** Whether it runs beside others, or waits for one of the places of long runs. */
  pace: "quick" | "long";
  run?: JobRun | undefined;
  readonly resolve: (output: MeasuredOutput) => void;
  readonly reject: (error: ExecutorError) => void;
  /** Clears the timer and the signal's listener. */
  release(): void;
};

/** CPU time of a run so far; the time on the clock on systems without it. */
export function cpuMsOf({ thread, cpuMsBefore, startedAt }: JobRun): number {
  if (startedAt === undefined) return 0;
  const { cpuMs } = thread;
  return cpuMs === undefined || cpuMsBefore === undefined
    ? performance.now() - startedAt
    : cpuMs - cpuMsBefore;
}
