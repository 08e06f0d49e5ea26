import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // Every file starts its own service on a free port; two at a time keep small machines responsive.
    maxWorkers: 2,
    // A test that starts several processes takes a minute where ten others want the same core.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
