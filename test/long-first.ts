import { BaseSequencer, type TestSpecification } from "vitest/node";
import { hasFakeTimers } from "./helpers/fake-timers.js";

const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith(".long.ts");

/**
 * Begins with the suites of long runs, whose files are small: as the last ones they would leave a worker without work for minutes. Then
 * come the files with fake timers, before which the services that files share would end.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = (file: TestSpecification) => (isLong(file) ? 0 : hasFakeTimers(file.moduleId) ? 1 : 2);
    const placed = (await super.sort(files)).map((file) => ({ file, place: place(file) }));
    return placed.sort((a, b) => a.place - b.place).map(({ file }) => file);
  }
}
