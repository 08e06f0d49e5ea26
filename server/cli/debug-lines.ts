import type { DebugRunRecord, DebugStepRecord } from "../../shared/schema/v3/debug.js";
import { decimalAmount } from "../../shared/values/decimal-amount.js";
import { unrun } from "../../shared/values/failed-phase.js";
import { plainText } from "./result-lines.js";
import { table } from "./table.js";

const shownParts = 10;
const tonDecimals = 9;

/** A run for people: how it ended, then where its gas went, and what it ordered. `sources`: what is known of its lines. */
export function runLines({ outcome, account, ...run }: DebugRunRecord, sources: readonly string[]): string[] {
  const { sentence, hint } = outcome;
  const { gas, actions, prints } = run;
  return [
    plainText(sentence ?? `${account} ${endOf(outcome)}`),
    ...(hint ? [plainText(hint)] : []),
    [...placeOf(outcome), ...factsOf(run)].join(", "),
    ...proofLines(run.proof),
    ...sources.map(plainText),
    ...gasLines("instruction", gas?.by_instruction),
    ...gasLines("function", gas?.by_function),
    ...gasLines("line", gas?.by_line),
    ...(actions.length > 0 ? ["", "actions:", ...actionLines(actions)] : []),
    ...(prints.length > 0
      ? ["", "printed:", ...prints.map(({ step, text }) => plainText(`step ${step}: ${text}`))]
      : []),
  ];
}

/** How a run ended that has no failure in words. */
function endOf({ success, skipped_reason: reason }: DebugRunRecord["outcome"]): string {
  if (success && reason !== null) return `has a message that was ${unrun}: ${reason}`;
  return success ? "succeeded" : "was aborted";
}

/** Where it failed. */
function placeOf({ exit_code: code, step, source, success }: DebugRunRecord["outcome"]): string[] {
  if (success || code === null) return [];
  const place = source ? ` (${plainText(source.file)}:${source.line})` : "";
  return [`exit code ${code}${step === null ? "" : ` in step ${step}${place}`}`];
}

function factsOf({
  gas,
  fees,
  steps,
  truncated,
}: Pick<DebugRunRecord, "gas" | "fees" | "steps" | "truncated">) {
  return [
    ...(gas ? [`${gas.used} gas`] : []),
    `${steps} steps${truncated ? ", not all of which are known" : ""}`,
    ...(fees ? [`fees of ${tons(fees.total)} TON`] : []),
  ];
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

type GasPart = { gas: number; steps: number } & ({ instruction: string } | { name: string });

function gasLines(kind: string, parts: readonly GasPart[] = []): string[] {
  if (parts.length === 0) return [];
  const rows = parts
    .slice(0, shownParts)
    .map(({ gas, steps, ...part }) => [
      plainText("name" in part ? part.name : part.instruction),
      String(gas),
      String(steps),
    ]);
  return ["", `dearest ${kind}s:`, ...table([[kind.toUpperCase(), "GAS", "STEPS"], ...rows])];
}

function actionLines(actions: DebugRunRecord["actions"]): string[] {
  const rows = actions.map(({ kind, outcome, mode, value, destination, step, reason }, index) =>
    [index, kind, outcome, mode, value && tons(value), destination, step, reason?.text ?? ""].map((each) =>
      each === null ? "-" : plainText(String(each)),
    ),
  );
  return table([["", "KIND", "OUTCOME", "MODE", "TON", "RECEIVER", "STEP", ""], ...rows]);
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
    .slice(0, shownParts)
    .map(([instruction, gas]) => [plainText(instruction), signed(gas, 0)]);
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}

function tons(nanotons: string): string {
  return decimalAmount(nanotons, tonDecimals);
}
