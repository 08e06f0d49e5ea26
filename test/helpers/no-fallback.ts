import type { Fallback } from "../../server/observe/fallback.js";

/** For parts that nothing fails in. */
export const noFallback: Fallback = (reason, cause) => {
  throw new Error(`fell back: ${reason}`, { cause });
};

/** As `noFallback`, for parts that do not name a reason. */
export function noFailure(cause: unknown): never {
  throw new Error("something failed", { cause });
}

/** A fallback, and the reasons and errors that it was given. */
export function recordedFallback() {
  const failures: [reason: string, error: unknown][] = [];
  const fallback: Fallback = (...failure) => void failures.push(failure);
  return { fallback, failures };
}
