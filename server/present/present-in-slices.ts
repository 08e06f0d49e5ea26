import { TimeSlice } from "../chain/time-slice.js";

/** Maximum time without yielding to other calls, unless a single item takes longer. */
const sliceMs = 2;

/**
 * Presents a list in time slices, so that a long one does not block other calls. Rejects with the signal's reason once
 * it fires.
 */
export async function presentInSlices<T, Shown>(
  items: readonly T[],
  present: (item: T) => Shown,
  signal?: AbortSignal,
): Promise<Shown[]> {
  const timeSlice = new TimeSlice(sliceMs);
  const shown: Shown[] = [];
  for (const item of items) {
    await timeSlice.yieldIfDue();
    signal?.throwIfAborted();
    shown.push(present(item));
  }
  return shown;
}
