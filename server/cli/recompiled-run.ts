import type { DebugRunRecord, DebugStepRecord } from "../../shared/schema/v3/debug.js";

/** Where instructions are in the sources of a project, whose compiler has made the code of the run here. */
type Recompiled = {
  readonly contract: string;
  readonly file: string;
  readonly compiler: string;
  /** By the place in the code; absent if the compiler tells no lines. */
  readonly locate: ((at: string) => Pick<DebugStepRecord, "source" | "function">) | undefined;
};

export type Project = {
  readonly found: Recompiled | undefined;
  readonly compiled: number;
  readonly failures: readonly string[];
};

const shownLines = 20;

/** Steps with the lines of the project in place of those that the service has. */
export function relocated(steps: readonly DebugStepRecord[], { locate }: Recompiled): DebugStepRecord[] {
  if (!locate) return [...steps];
  return steps.map(({ source: _, function: __, ...step }) => ({
    ...step,
    ...(step.at !== undefined && locate(step.at)),
  }));
}

/** A run with the lines of its relocated steps, and without what the service's map says. Gas by lines needs all steps. */
export function withLines<Run extends DebugRunRecord>(run: Run, steps: readonly DebugStepRecord[]): Run {
  const { source: claimed, function: _, ...outcome } = run.outcome;
  const { source, function: name } = steps.find(({ n }) => n === outcome.step) ?? {};
  const moved = (text: string | null) =>
    text && claimed && source ? text.replaceAll(placeText(claimed), placeText(source)) : text;
  const { map, ...code } = run.code!;
  const { by_function, by_line: __, ...gas } = run.gas ?? {};
  return {
    ...run,
    outcome: {
      ...outcome,
      ...{ sentence: moved(outcome.sentence), hint: moved(outcome.hint) },
      ...(source && { source, function: name }),
    },
    code,
    gas: run.gas && {
      ...gas,
      // Without a map they are the code's methods and cells.
      ...(!map && { by_function }),
      ...(steps[0]?.n === run.first_step && { by_line: dearestLines(steps) }),
    },
  };
}

function placeText({ file, line }: NonNullable<DebugStepRecord["source"]>): string {
  return `${file}:${line}`;
}

type GasEntry = NonNullable<NonNullable<DebugRunRecord["gas"]>["by_line"]>[number];

function dearestLines(steps: readonly DebugStepRecord[]): GasEntry[] {
  const lines = new Map<string, GasEntry>();
  for (const { source, gas = 0 } of steps) {
    if (!source) continue;
    const name = placeText(source);
    const known = lines.get(name) ?? { name, gas: 0, total: 0, steps: 0 };
    const sum = known.gas + gas;
    lines.set(name, { name, gas: sum, total: sum, steps: known.steps + 1 });
  }
  return [...lines.values()].sort((a, b) => b.gas - a.gas).slice(0, shownLines);
}

/** What is known of the lines of a run, and who vouches for them. */
export function sourceLines(code: DebugRunRecord["code"], project: Project | undefined): string[] {
  const { found, compiled = 0 } = project ?? {};
  const claimed = code?.map && `${code.map.file} (${code.map.trust}), not proven`;
  const service = claimed
    ? [`lines: of ${claimed}${project ? "" : ": --project DIR compiles the sources"}`]
    : [];
  if (!found)
    return project
      ? [
          `sources: no contract of the project makes the code ${code?.hash}, of ${compiled} that were compiled`,
          ...service,
        ]
      : service;
  const made = `${found.file}, recompiled here by ${found.compiler}: it makes the code of the run`;
  if (found.locate) return [`lines: ${made}`];
  return [`sources: ${made}; this compiler tells no lines`, ...service];
}
