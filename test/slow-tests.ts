import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** How long a test of `npm test` may take on a quiet machine, in milliseconds. */
const limitMs = 2000;

/** Over this it is slow on any machine: `TONWIRE_SLOW_TESTS` names a file to which the test files with such tests are written. */
const tooLongMs = 4 * limitMs;

/** Lists the tests that took longer. */
export default class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const slow = modules
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => msOf(test) > limitMs)
      .sort((a, b) => msOf(b) - msOf(a));
    if (slow.length > 0) console.log(`Tests that took over ${limitMs / 1000} s:`);
    for (const test of slow)
      console.log(
        `${String(Math.round(msOf(test))).padStart(7)} ms  ${test.module.relativeModuleId} > ${test.fullName}`,
      );
    const list = process.env["TONWIRE_SLOW_TESTS"];
    if (list === undefined) return;
    const tooLong = slow.filter((test) => msOf(test) > tooLongMs);
    writeFileSync(list, [...new Set(tooLong.map((test) => test.module.relativeModuleId))].join("\n"));
  }
}

function msOf(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0;
}
