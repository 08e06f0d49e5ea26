import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** How long a test of `npm test` may take on a quiet machine, in milliseconds. */
const limitMs = 2000;

/** A test is too long if it has more than this part of the time of all tests of the run: a slow machine makes all of them slow. */
const tooLongPart = 1 / 100;

/** What the file that `TONWIRE_SLOW_TESTS` names says: which test files have tests that took too long, and by which limit. */
type TooLong = { readonly limitMs: number; readonly files: readonly string[] };

/** Lists the tests that took longer. */
export default class SlowTests implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const slow = tests.filter((test) => msOf(test) > limitMs).sort((a, b) => msOf(b) - msOf(a));
    if (slow.length > 0) console.log(`Tests that took over ${limitMs / 1000} s:`);
    for (const test of slow)
      console.log(
        `${String(Math.round(msOf(test))).padStart(7)} ms  ${test.module.relativeModuleId} > ${test.fullName}`,
      );
    const list = process.env["TONWIRE_SLOW_TESTS"];
    if (list === undefined) return;
    const tooLongMs = limitOf(list) ?? Math.max(4 * limitMs, tooLongPart * sumOf(tests));
    const tooLong = slow.filter((test) => msOf(test) > tooLongMs);
    const files = [...new Set(tooLong.map((test) => test.module.relativeModuleId))];
    writeFileSync(list, JSON.stringify({ limitMs: tooLongMs, files } satisfies TooLong));
  }
}

/** The limit of the whole run, if this is a run of some of its files. */
function limitOf(list: string): number | undefined {
  return existsSync(list) ? (JSON.parse(readFileSync(list, "utf8")) as TooLong).limitMs : undefined;
}

const sumOf = (tests: readonly TestCase[]) => tests.reduce((sum, test) => sum + msOf(test), 0);

function msOf(test: TestCase): number {
  return test.diagnostic()?.duration ?? 0;
}
