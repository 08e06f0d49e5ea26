import { defineConfig } from "vitest/config";
import { v8Flags } from "./helpers/v8-flags.js";
import tests from "./vitest.config.js";

/** Stryker runs tests in threads, which refuse flags of V8. */
const forThreads = (flag: string) => !v8Flags.includes(flag);

/** The suites that `.ci/mutants.mjs` runs for each mutant, and the time after which one of their tests or hooks has failed. */
export default defineConfig((env) => {
  const { test } = tests({ ...env, mode: "test" });
  const limits = JSON.parse(process.env["TONWIRE_MUTANT_TESTS"] ?? "{}");
  return { test: { ...test, execArgv: test?.execArgv?.filter(forThreads), ...limits } };
});
