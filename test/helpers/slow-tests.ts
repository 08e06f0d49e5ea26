import { vi } from "vitest";

/**
 * Limit of a test or hook that starts a process, a database, a browser or a devnet, reads recorded chains, or searches
 * with many random cases. These take seconds on an idle machine, but the two cores of a CI machine stand still for
 * seconds at a time, and PGlite has been seen to take minutes to open on them.
 */
const slowTestMs = 300_000;

/**
 * Gives the tests and hooks of a file the long limit; call it at the top of the file, before the first `describe`.
 * Helpers that start something slow call it when they are imported, so the files that use them need not.
 */
export function allowSlowTests(): void {
  // Benchmarks import the same helpers and have no test runner.
  if (process.env["VITEST"]) vi.setConfig({ testTimeout: slowTestMs, hookTimeout: slowTestMs });
}
