// node .ci/slow-tests.mjs FILE: runs the test files that `npm test` has named in FILE (TONWIRE_SLOW_TESTS) by themselves, and fails if one of
// their tests is slow again. A machine that stands still makes any test slow, but seldom the same one three times.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const attempts = 2;
const [named] = process.argv.slice(2);
const slow = () => readFileSync(named, "utf8").split("\n").filter(Boolean);

for (let attempt = 1; attempt <= attempts && slow().length > 0; attempt++) {
  console.log(`\nBy themselves: ${slow().join(", ")}`);
  const options = ["run", "--config", "test/vitest.config.ts", "--maxWorkers", "1", ...slow()];
  const env = { ...process.env, TONWIRE_SLOW_TESTS: named };
  const { status } = spawnSync("npx", ["vitest", ...options], { stdio: "inherit", env });
  if (status !== 0) process.exit(1);
}
if (slow().length > 0) {
  console.error(`Tests of these files are slow also by themselves: ${slow().join(", ")}`);
  process.exit(1);
}
