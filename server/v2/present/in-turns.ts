import { setImmediate } from "node:timers/promises";

/** Takes a millisecond or two. */
const perTurn = 20;

/** Presents a list of any length without keeping other calls waiting for all of it. */
export async function presentInTurns<T, Shown>(
  items: readonly T[],
  present: (item: T) => Shown,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let at = 0; at < items.length; at += perTurn) {
    if (at > 0) await setImmediate();
    shown.push(...items.slice(at, at + perTurn).map(present));
  }
  return shown;
}
