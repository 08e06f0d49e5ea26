import { setTimeout as wait } from "node:timers/promises";
import { allowSlowTests } from "./slow-tests.js";

allowSlowTests();

/**
 * Asks again until the answer is there, for what happens outside this process or on a real timer. Fails with what
 * was waited for when it does not come within `withinMs`.
 */
export async function until<T>(
  what: string | (() => string),
  ask: () => T | undefined | false | Promise<T | undefined | false>,
  withinMs = 250_000,
): Promise<T> {
  const end = performance.now() + withinMs;
  for (let isOver = false; !isOver; await wait(20)) {
    // Before the question: a machine that stood still meanwhile has not asked in vain yet.
    isOver = performance.now() >= end;
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
  }
  throw new Error(`waited in vain for ${typeof what === "string" ? what : what()}`);
}
