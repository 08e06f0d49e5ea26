import fc from "fast-check";
import { expect, vi } from "vitest";
import { isLong } from "./helpers/effort.js";
import { hasFakeTimers } from "./helpers/fake-timers.js";
import { endKeptServices } from "./helpers/services/kept-services.js";

/** Rooms whose code computes and starts nothing: what takes longer there hangs. */
const pure =
  /\/test\/(cells|config|contracts\/bodies|indexer\/actions|methods|shared\/(schema|values)|tlb)\//;
const pureMs = 60_000;

const path = expect.getState().testPath ?? "";
if (pure.test(path) && path.endsWith(".test.ts")) vi.setConfig({ testTimeout: pureMs, hookTimeout: pureMs });
if (hasFakeTimers(path)) await endKeptServices();

// Properties of `npm test` try the same values each time. The long runs try others, and print the seed of a failure.
if (!isLong) fc.configureGlobal({ seed: 1 });
