import type { Call } from "../../shared/methods/define.js";
import { TimeSlice } from "../chain/time-slice.js";

/** Runs parts of a long work in turns with other calls. The caller, if there is one, pays for their time. */
export function paidTurns({ signal, spent }: Partial<Pick<Call, "signal" | "spent">> = {}) {
  const timeSlice = new TimeSlice();
  return async <T>(work: () => T): Promise<T> => {
    await timeSlice.yieldIfDue();
    signal?.throwIfAborted();
    const began = performance.now();
    const result = work();
    spent?.(performance.now() - began);
    return result;
  };
}
