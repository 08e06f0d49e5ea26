import { once } from "node:events";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { threadClock } from "../../server/os/thread-clock.js";
import { startWorker } from "../../server/os/worker.js";
import { until } from "../helpers/until.js";
import type { Computed } from "./computing-thread.js";

it("measures short computations, not in ticks of the scheduler", () => {
  const now = threadClock();
  let [measured, wall] = [0, 0];
  for (let run = 0; run < 100; run++) {
    const start = performance.now();
    const before = now();
    while (performance.now() - start < 0.2);
    measured += now() - before;
    wall += performance.now() - start;
  }
  expect(measured).toBeGreaterThan(0);
  // The wall clock is read around the other, so a thread that stands still between two readings cannot turn them round.
  expect(measured).toBeLessThanOrEqual(wall);
});

const tellsWaiting = existsSync("/proc/thread-self/schedstat");

/** Threads that compute at the same time, four for each processor. */
async function computeTogether(): Promise<Computed> {
  const workers = Array.from({ length: 4 * availableParallelism() }, () =>
    startWorker(import.meta.url, "computing-thread"),
  );
  await Promise.all(workers.map((worker) => once(worker, "message")));
  const ended = Promise.all(workers.map((worker) => once(worker, "message")));
  for (const worker of workers) worker.postMessage({ ms: 200 });
  const times = (await ended).map(([computed]) => computed as Computed);
  await Promise.all(workers.map((worker) => worker.terminate()));
  const sum = (of: keyof Computed) => times.reduce((all, each) => all + each[of], 0);
  return { measured: sum("measured"), wall: sum("wall"), timesBack: sum("timesBack") };
}

it.runIf(tellsWaiting)("stands still while other threads compute, and never goes back", async () => {
  // Four threads share a processor, so together they compute for about a quarter of the time. If the machine runs them one after the
  // other, or stops while few of them compute, they do not wait for each other: the test tries again.
  const { measured } = await until("threads that wait for others", async () => {
    const computed = await computeTogether();
    expect(computed.timesBack).toBe(0);
    return computed.measured < computed.wall / 2 && computed;
  });
  expect(measured).toBeGreaterThan(0);
});
