// node .ci/slow-tests.mjs FILE: runs the test files that `npm test` named in FILE (TONWIRE_SLOW_TESTS) again, one after the other, and fails
// if one of them is named each time. A machine that stands still makes any test slow, but seldom one of the same file three times.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [list] = process.argv.slice(2);
const tooLong = () => JSON.parse(readFileSync(list, "utf8"));
const seconds = () => (tooLong().limitMs / 1000).toFixed(1);
const named = () => tooLong().files;

for (let attempt = 0; attempt < 2 && named().length > 0; attempt++) {
  console.log(`\nFiles with tests that took over ${seconds()} s, by themselves: ${named().join(", ")}`);
  const options = ["run", "--config", "test/vitest.config.ts", "--maxWorkers", "1", ...named()];
  const env = { ...process.env, TONWIRE_SLOW_TESTS: list };
  const { status } = spawnSync("npx", ["vitest", ...options], { stdio: "inherit", env });
  if (status !== 0) process.exit(1);
}
if (named().length > 0) {
  console.error(`Tests of these files take over ${seconds()} s by themselves, too: ${named().join(", ")}`);
  process.exit(1);
}
