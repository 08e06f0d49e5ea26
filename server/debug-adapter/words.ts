import type { DebugRunRecord } from "../../shared/schema/v3/debug.js";
import { failedStep } from "../../shared/text/failed-step.js";

/** How a run failed: a sentence, and the step that caused it, if there is one. Undefined if it did not fail. */
export function failureOf(run: DebugRunRecord): { text: string; step: number | undefined } | undefined {
  const { success, sentence, hint, exit_code: code } = run.outcome;
  const step = failedStep(run);
  if (success && step === undefined) return undefined;
  const text = sentence ?? (code === null ? "The run was aborted." : `The run ended with exit code ${code}.`);
  return { text: hint ? `${text} ${hint}` : text, step };
}

/** The failure of a run, if the step that the walk stands at caused it, or no step did. */
export function failureAt(run: DebugRunRecord, at: number | undefined): ReturnType<typeof failureOf> {
  const failure = failureOf(run);
  return failure && (failure.step ?? at) === at ? failure : undefined;
}

/** The kind of a run, in words. */
export function kindText({ kind }: DebugRunRecord): string {
  return kind.replace("_", "-");
}

/** A thread's name: the account, and the place of the transaction. */
export function threadName(run: DebugRunRecord): string {
  const { account, lt } = run;
  const [workchain = "", hash = ""] = account.split(":");
  const short = `${workchain}:${hash.slice(0, 8)}…`;
  return lt === null ? `${short} ${kindText(run)}` : `${short} ${lt}`;
}
