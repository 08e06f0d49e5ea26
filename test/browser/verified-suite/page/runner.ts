import { type File, startTests, type Task, type VitestRunner } from "@vitest/runner";

/** The outcome of a case. `error` is absent if it passed, and also if it was skipped. */
export type CaseOutcome = { name: string; state: "pass" | "skip" | "fail"; error?: string | undefined };

type Suites = Readonly<Record<string, () => Promise<unknown>>>;

/** Runs a file of tests in the page. */
export async function runSuite(suites: Suites, file: string): Promise<CaseOutcome[]> {
  const runner: VitestRunner = {
    config: {
      root: "/",
      setupFiles: [],
      name: undefined,
      passWithNoTests: false,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { concurrent: false, seed: 1, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: 1,
      testTimeout: 280_000,
      hookTimeout: 280_000,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: (path) => suites[path]!(),
  };
  const files = await startTests([file], runner);
  return files.flatMap((each) => [...outcomeOf(each, each.name), ...casesIn(each, "")]);
}

function casesIn({ tasks }: { tasks: Task[] }, path: string): CaseOutcome[] {
  return tasks.flatMap((task) => {
    const name = path === "" ? task.name : `${path} > ${task.name}`;
    return task.type === "suite" ? [...outcomeOf(task, name), ...casesIn(task, name)] : outcomeOf(task, name);
  });
}

/** Suites count only with their failures, such as those of hooks. */
function outcomeOf(task: Task | File, name: string): CaseOutcome[] {
  const errors = task.result?.errors;
  if (task.type === "suite" && !errors?.length) return [];
  const state = errors?.length ? "fail" : task.result?.state === "pass" ? "pass" : "skip";
  return [{ name, state, error: errors?.map(({ message, stack }) => `${message}\n${stack}`).join("\n") }];
}
