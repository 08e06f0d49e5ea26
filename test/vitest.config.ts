import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // Every file starts its own service on a free port; two at a time keep small machines responsive.
    maxWorkers: 2,
    // Tests wait for 250 s at most, so that each says itself what it waited for.
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
