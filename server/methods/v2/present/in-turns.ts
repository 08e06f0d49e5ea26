import { TimeSlice } from "../../../chain/time-slice.js";

/** How long other calls wait at most, unless one item takes longer. */
const sliceMs = 2;

/**
 * Presents a list of any length, with items of any size, without keeping other calls waiting for all of it. Ends with
 * the signal's reason once nobody waits for the list.
 */
export async function presentInTurns<T, Shown>(
  items: readonly T[],
  present: (item: T) => Shown,
  signal: AbortSignal,
): Promise<Shown[]> {
  const timeSlice = new TimeSlice(sliceMs);
  const shown: Shown[] = [];
  for (const item of items) {
    await timeSlice.yieldIfDue();
    signal.throwIfAborted();
    shown.push(present(item));
  }
  return shown;
}
