import type { DebugRunRecord, DebugStepRecord } from "../../shared/schema/v3/debug.js";
import { plainText } from "./result-lines.js";
import { table } from "./table.js";

const shownInstructions = 10;
const nanotons = 9;

/** A run for people: how it ended, then where its gas went, and what it ordered. */
export function runLines(run: DebugRunRecord): string[] {
  const { gas, actions, proof } = run;
  const { sentence, hint } = run.outcome as DebugRunRecord["outcome"] & Words;
  return [
    plainText(sentence ?? sentenceOf(run)),
    ...(hint ? [plainText(hint)] : []),
    ...factsOf(run),
    ...proofLines(proof),
    ...(gas ? ["", "dearest instructions:", ...instructionLines(gas.by_instruction)] : []),
    ...(actions.length > 0 ? ["", "actions:", ...actionLines(actions)] : []),
  ];
}

/** What services say that know more. */
type Words = { sentence?: string | null; hint?: string | null };

function sentenceOf({ outcome, actions, account }: DebugRunRecord): string {
  const { phase, exit_code: code, exit_name: name, exit_meaning: meaning, step } = outcome;
  if (outcome.skipped_reason !== null) return `${account} was not run: ${outcome.skipped_reason}`;
  const what = `${name === null ? "" : ` (${name})`}${meaning === null ? "" : `: ${meaning}`}`;
  if (phase === "compute")
    return `${account} stopped${step === null ? "" : ` in step ${step}`} with exit code ${code}${what}`;
  if (phase === "action") {
    const failed = actions.findIndex((action) => action.outcome === "failed");
    const which = failed < 0 ? "The action phase" : `Action ${failed}`;
    return `${which} of ${account} failed with result code ${code}${what}`;
  }
  return `${account} ${outcome.success ? "succeeded" : "was aborted"}`;
}

function factsOf({ gas, fees, steps, truncated }: DebugRunRecord): string[] {
  const parts = [
    ...(gas ? [`${gas.used} gas`] : []),
    ...(steps > 0 ? [`${steps} steps${truncated ? ", not all of which are known" : ""}`] : []),
    ...(fees ? [`fees of ${tons(fees.total)} TON`] : []),
  ];
  return parts.length > 0 ? [parts.join(", ")] : [];
}

function proofLines({ level, differences }: DebugRunRecord["proof"]): string[] {
  if (level === "exact" || level === "none") return [];
  const text =
    level === "state"
      ? "proof: only the account's state after the run is the chain's"
      : "proof: the run is not the chain's";
  return [
    text,
    ...differences.map(
      ({ field, chain, run }) => `  ${field}: ${chain ?? "-"} on the chain, ${run ?? "-"} here`,
    ),
  ];
}

function instructionLines(instructions: NonNullable<DebugRunRecord["gas"]>["by_instruction"]): string[] {
  if (instructions.length === 0) return ["none"];
  const rows = instructions
    .slice(0, shownInstructions)
    .map(({ instruction, gas, steps }) => [plainText(instruction), String(gas), String(steps)]);
  return table([["INSTRUCTION", "GAS", "STEPS"], ...rows]);
}

function actionLines(actions: DebugRunRecord["actions"]): string[] {
  const rows = actions.map(({ kind, outcome, mode, value, destination, step }, index) =>
    [index, kind, outcome, mode, value === null ? null : tons(value), destination, step].map((each) =>
      each === null ? "-" : String(each),
    ),
  );
  return table([["", "KIND", "OUTCOME", "MODE", "TON", "RECEIVER", "STEP"], ...rows]);
}

/** Steps as a table, with lines of the source where they are known. */
export function stepLines(steps: readonly DebugStepRecord[]): string[] {
  const rows = steps.map((step) => [
    String(step.n),
    String(step.gas ?? "-"),
    String(step.left ?? "-"),
    plainText(`${"  ".repeat(Math.min(step.depth, 8))}${step.text ?? "(error)"}${noteOf(step)}`),
  ]);
  return table([["STEP", "GAS", "LEFT", "INSTRUCTION"], ...rows]);
}

function noteOf({ error, remark, source }: DebugStepRecord): string {
  const notes = [
    ...(error ? [`exit code ${error.code}${error.text === undefined ? "" : `: ${error.text}`}`] : []),
    ...(remark === undefined ? [] : [remark]),
    ...(source ? [`${source.file}:${source.line}`] : []),
  ];
  return notes.length > 0 ? `  # ${notes.join("; ")}` : "";
}

/** How much more gas a run uses than a saved one, and by which instructions. */
export function differenceLines(saved: DebugRunRecord, { gas }: DebugRunRecord): string[] {
  const [before, now] = [Number(saved.gas?.used ?? 0), Number(gas?.used ?? 0)];
  const rows = changes(saved.gas?.by_instruction ?? [], gas?.by_instruction ?? []);
  const percent = before === 0 ? "" : ` (${signed((100 * (now - before)) / before, 2)}%)`;
  return [
    `gas: ${before} before, ${now} now${percent}`,
    ...(rows.length > 0 ? table([["INSTRUCTION", "GAS"], ...rows]) : []),
  ];
}

type Instructions = readonly { instruction: string; gas: number }[];

function changes(before: Instructions, now: Instructions): string[][] {
  const sums = new Map(now.map(({ instruction, gas }) => [instruction, gas]));
  for (const { instruction, gas } of before) sums.set(instruction, (sums.get(instruction) ?? 0) - gas);
  return [...sums]
    .filter(([, gas]) => gas !== 0)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, shownInstructions)
    .map(([instruction, gas]) => [plainText(instruction), signed(gas, 0)]);
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}

/** Nanotons as TON. */
function tons(amount: string): string {
  const digits = amount.padStart(nanotons + 1, "0");
  const fraction = digits.slice(-nanotons).replace(/0{1,8}$/, "");
  return fraction === "0" ? digits.slice(0, -nanotons) : `${digits.slice(0, -nanotons)}.${fraction}`;
}
