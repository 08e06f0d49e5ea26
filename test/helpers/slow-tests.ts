import { vi } from "vitest";

/**
 * Limit of a test or hook that starts a process, a thread, a database, a browser or a devnet, waits for a disk, reads
 * recorded chains, or checks many random cases. Such a test takes seconds on an idle machine. The two cores of a CI
 * machine stand still for seconds at a time, and PGlite has taken minutes to open on them.
 */
const slowTestMs = 300_000;

/**
 * Gives the tests and hooks of a file the long limit. Call it at the top of the file, before the first `describe`.
 * Helpers that start or wait for something slow call it when they are imported, so files that use them need not.
 */
export function allowSlowTests(): void {
  // Benchmarks and processes that tests start import the same helpers and have no test runner; the latter inherit its
  // environment, so only its global tells.
  if ("__vitest_worker__" in globalThis) vi.setConfig({ testTimeout: slowTestMs, hookTimeout: slowTestMs });
}
