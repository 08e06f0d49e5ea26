import { setTimeout as wait } from "node:timers/promises";

/**
 * Polls `ask` until it answers something else than undefined or false, for events outside this process or on a real
 * timer. Throws with `what` in the message if that does not happen within `withinMs`.
 */
export async function until<T>(
  what: string | (() => string),
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 250_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (let isOver = false; !isOver; await wait(20)) {
    // Read before asking: if the machine stood still past the end, one more answer counts.
    isOver = performance.now() >= end;
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
}
