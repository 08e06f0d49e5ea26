import { defineConfig } from "vitest/config";

/** `npm run test:all` runs what takes minutes too: `--mode all`. */
const suites = ({ mode }: { readonly mode: string }) =>
  mode === "all" ? ["test/**/*.test.ts", "test/**/*.long.ts"] : ["test/**/*.test.ts"];

export default defineConfig((given) => ({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: suites(given),
    // Files kept by earlier runs would hide what this one does.
    env: { TONWIRE_CACHE: "off", NODE_OPTIONS: "--throw-deprecation" },
    // A deprecated call of Node is an error, here and in the programs that tests start: a later version does not have it.
    execArgv: ["--throw-deprecation"],
    globalSetup: ["test/compile-entries.ts", "test/run-folder.ts"],
    // Every file starts its own service on a free port; two at a time keep small machines responsive.
    maxWorkers: 2,
    // Files of a worker share the modules that they load, which takes a second for each file otherwise.
    isolate: false,
    // The two cores of a CI machine stand still for seconds at a time, and a database has taken minutes to open on them.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
}));
