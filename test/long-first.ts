import { BaseSequencer, type TestSpecification } from "vitest/node";

const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith(".long.ts");

/** Begins with the suites of long runs, whose files are small: as the last ones they would leave a worker without work for minutes. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
