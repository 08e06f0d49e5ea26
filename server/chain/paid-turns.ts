import type { Call } from "../../shared/methods/define.js";
import { TimeSlice } from "./time-slice.js";

type Payer = {
  readonly signal?: AbortSignal | undefined;
  readonly spent?: Call["spent"];
};

/**
 * Runs parts of a long work in turns with other calls. The caller, if there is one, pays for their time, also for that of a
 * failure. Works that share a slice take turns with each other, too.
 */
export function paidTurns({ signal, spent }: Payer = {}, timeSlice = new TimeSlice()) {
  return async <T>(work: () => T): Promise<T> => {
    await timeSlice.yieldIfDue();
    signal?.throwIfAborted();
    const began = performance.now();
    try {
      return work();
    } finally {
      spent?.(performance.now() - began);
    }
  };
}
