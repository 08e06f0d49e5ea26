import type { DebugRunRecord, DebugStepRecord } from "../../../shared/schema/v3/debug.js";
import type { DebugTrace } from "../../../shared/schema/v3/debug-trace.js";
import type { DebugValue } from "../../../shared/schema/v3/debug-values.js";
import type { DevnetExplanation } from "./explained.js";
import type { Call } from "./service-call.js";

/** Values of the stack that are shown, from its top. */
const shownValues = 8;
const longestValue = 200;
const maxRuns = 64;

/** Explains the transaction with this hash or, if it did not fail, the first one of its trace that did. */
export async function explain(given: string, call: Call): Promise<Omit<DevnetExplanation, "toString">> {
  const hash = asBase64(given);
  const run = await runOf(hash, call);
  const { outcome, transaction, account, prints } = run;
  const { sentence, hint, step } = outcome;
  const failedAt = step ?? run.actions.find((action) => action.reason !== null)?.step ?? null;
  const [at] = failedAt === null ? [] : await stepsOf(run.run, failedAt, call);
  const values = sentence === null || !at ? [] : [...variablesOf(at), ...stackOf(at)];
  const texts = prints.map(({ text }) => text);
  const facts = {
    success: sentence === null,
    sentence,
    hint,
    line: outcome.source ? `${outcome.source.file}:${outcome.source.line}` : null,
    values,
    prints: texts,
  };
  return {
    ...facts,
    ...{ transaction: transaction ?? hash, account, exitCode: outcome.exit_code, run: run.run },
    text: textOf({ ...facts, account, instruction: at?.text, step: failedAt, steps: run.steps }),
  };
}

/** A hash in hex or base64, as base64. */
export function asBase64(hash: string): string {
  return Buffer.from(hash, /^[0-9a-f]{64}$/i.test(hash) ? "hex" : "base64").toString("base64");
}

async function runOf(hash: string, call: Call): Promise<DebugRunRecord> {
  const trace = await traceOf(hash, call);
  const own = trace.runs.find(({ transaction }) => transaction === hash);
  const isOwn = own && own.outcome.sentence !== null;
  const { failure, failed_run: failed } = trace;
  if (isOwn || !failure) return own ?? firstOf(trace);
  return trace.runs.find(({ run }) => run === failed) ?? call("v3.debug.transaction", { hash: failure.hash });
}

/** By the hash of a transaction, else by that of a message. */
async function traceOf(hash: string, call: Call): Promise<DebugTrace> {
  try {
    return await call("v3.debug.trace", { tx_hash: hash, limit: maxRuns });
  } catch {
    // No transaction has the hash.
    return call("v3.debug.trace", { msg_hash: hash, limit: maxRuns });
  }
}

function firstOf({ runs, missing }: DebugTrace): DebugRunRecord {
  const [first] = runs;
  if (first) return first;
  throw new Error(`the transaction cannot be run again: ${missing[0]?.reason ?? "there is none"}`);
}

async function stepsOf(run: string, from: number, call: Call): Promise<DebugStepRecord[]> {
  const page = { run, from, limit: 1, include: ["full_stack", "locals"] };
  return (await call<{ steps: DebugStepRecord[] }>("v3.debug.steps", page)).steps;
}

function variablesOf({ locals = [] }: DebugStepRecord): DevnetExplanation["values"] {
  return locals.slice(0, shownValues).map(({ name, values, typed }) => {
    const text =
      typed === undefined ? values.map((each) => (each ? valueText(each) : "?")).join(", ") : asText(typed);
    return { name, value: text.slice(0, longestValue) };
  });
}

const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function stackOf({ stack = [] }: DebugStepRecord): DevnetExplanation["values"] {
  return [...stack]
    .reverse()
    .slice(0, shownValues)
    .map((value, index) => ({ name: `s${index}`, value: valueText(value).slice(0, longestValue) }));
}

function valueText({ type, value, hash, bits, refs, items, text }: DebugValue): string {
  if (items) return `[${items.map(valueText).join(", ")}]`;
  return (
    value ?? text ?? (hash === undefined ? type : `${type} of ${bits} bits, ${refs} references (${hash})`)
  );
}

type Told = Pick<DevnetExplanation, "sentence" | "hint" | "line" | "values" | "prints"> & {
  account: string;
  instruction: string | undefined;
  step: number | null;
  steps: number;
};

function textOf({ sentence, hint, line, values, prints, ...run }: Told): string {
  const { account, instruction, step, steps } = run;
  const place = step === null ? [] : [`at step ${step} of ${steps}${instruction ? `: ${instruction}` : ""}`];
  return [
    sentence ?? `Nothing failed in the transaction of ${account}.`,
    ...(hint ? [hint] : []),
    ...(line ? [`at ${line}`] : []),
    ...(sentence === null ? [] : place),
    ...values.map(({ name, value }) => `  ${name} = ${value}`),
    ...prints.map((text) => `  prints ${text}`),
  ].join("\n");
}
