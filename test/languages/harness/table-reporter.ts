import type { Reporter, TestCase, TestModule } from "vitest/node";

const words = { passed: "ok", failed: "FAILED", skipped: "skipped", pending: "not run" } as const;

/** Prints what each tool did as a table, when all of them have run. */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const rows = modules.flatMap((module) => [...module.children.allTests()].map(row)).sort();
    console.log(
      ["", "| Tool | What it does | Result | Seconds |", "| --- | --- | --- | --- |", ...rows, ""].join("\n"),
    );
  }
}

function row(test: TestCase): string {
  const tool = test.parent.type === "suite" ? test.parent.name : test.module.relativeModuleId;
  const seconds = ((test.diagnostic()?.duration ?? 0) / 1000).toFixed(1);
  return `| ${[tool, test.name, words[test.result().state], seconds].join(" | ")} |`;
}
