import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // What other runs have kept would hide what this one does.
    env: { TONWIRE_CACHE: "off" },
    globalSetup: ["test/compile-entries.ts", "test/run-folder.ts"],
    // Every file starts its own service on a free port; two at a time keep small machines responsive.
    maxWorkers: 2,
    // Suites that start something slow allow themselves more: test/helpers/slow-tests.ts.
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});
