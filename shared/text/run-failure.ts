import type { TraceFailure } from "../schema/v3/message-status.js";
import { type ActionReasonKind, firstOwnCode, isOutOfGas } from "../values/exit-codes/kinds.js";
import type { AnswerNames } from "./answer-names.js";
import { failureHint, failureMembers, failurePhrase } from "./failure.js";
import type { FailureLanguage } from "./language.js";
import { account, type Phrase, ton } from "./phrase.js";
import { textOf } from "./phrase-text.js";
import type { Explanation } from "./refusal.js";
import { capitalised } from "./sentence.js";
import { fill, type Members } from "./template.js";

/** An action that failed or was left out, by its number. */
export type RunAction = {
  readonly number: number;
  readonly kind: "send" | "reserve" | "set_code" | "change_library";
  /** Why, as a clause. */
  readonly reason: string;
  readonly receiver?: string | undefined;
  readonly value?: string | undefined;
};

/** What a run shows of a failure, besides what the chain has. */
export type RunFacts = {
  /** The instruction that failed, as the machine writes it. */
  readonly instruction?: string | undefined;
  /** What the machine says of its own error; absent if the contract has thrown it. */
  readonly error?: string | undefined;
  /** What the instruction wanted to read, and what the slice had. */
  readonly wanted?: SliceSize | undefined;
  readonly left?: SliceSize | undefined;
  /** Hash of a library that the chain does not have. */
  readonly library?: string | undefined;
  /** Actions that failed or were left out. */
  readonly actions?: readonly RunAction[];
  /** The function that used most of the gas, and how much. */
  readonly dearest?: { readonly name: string; readonly gas: string } | undefined;
  /** File and line. */
  readonly place?: string | undefined;
};

type SliceSize = { readonly bits: number; readonly refs: number };

/** Predicates about failures of runs. */
type RunHintKey = "own" | "bits" | "refs" | "machine" | "library" | "gas" | "reserve" | "action" | "leftOut";

/** The same; `leftOutAction`: one of its actions; `at`: a sentence with its place in the source. */
type RunFailureKey = RunHintKey | "leftOutAction" | "at";

/** Words about runs, for the service alone. */
export type RunWords = {
  readonly failures: Readonly<Record<RunFailureKey, string>>;
  readonly hints: Readonly<Record<RunHintKey, string>>;
  /** Clauses by the reason of an action. */
  readonly reasons: Readonly<Record<Exclude<ActionReasonKind, "other">, string>>;
  /** What the bits of a mode mean, by the kind of the action; `0`: none of them. */
  readonly modes: Readonly<Record<"send" | "reserve" | "change_library", Readonly<Record<number, string>>>>;
};

type RunLanguage = FailureLanguage & { readonly runs: RunWords };

/** Why the transaction failed, and what can be done about it. */
export function describeRunFailure(
  failure: TraceFailure,
  facts: RunFacts,
  names: AnswerNames,
  language: RunLanguage,
): Explanation {
  const key = keyOf(failure, facts);
  const members = { ...failureMembers(failure, language), ...membersOf(facts, language) };
  const text = (phrase: Phrase) => textOf(phrase, names, language);
  const plain = key ? undefined : failurePhrase(failure, language);
  const what = plain ?? withAccount(failure, fill(language.runs.failures[key!], members, language), language);
  const whole = facts.place
    ? fill(language.runs.failures.at, { what: { phrase: what }, ...members }, language)
    : what;
  const own = key && fill(language.runs.hints[key], members, language);
  const hint = text(own && own.length > 0 ? own : failureHint(failure, language));
  return { sentence: `${text(capitalised(whole, language))}.`, ...(hint && { hint }) };
}

/** A mode in words; empty if it has unknown bits only. */
export function modeText(
  kind: RunAction["kind"],
  mode: number,
  { runs }: { readonly runs: RunWords },
): string | undefined {
  if (kind === "set_code") return undefined;
  const words = runs.modes[kind];
  const known = Object.entries(words).filter(([bit]) => mode & Number(bit));
  return known.length > 0 ? known.map(([, text]) => text).join("; ") : mode === 0 ? words[0] : undefined;
}

/** Why an action failed, as a clause; `undefined` if only the code tells. */
export function reasonText(
  { kind, available, needed }: { kind: ActionReasonKind; available?: bigint; needed?: bigint },
  names: AnswerNames,
  language: RunLanguage,
): string | undefined {
  if (kind === "other") return undefined;
  const members = { available: available?.toString(), needed: needed?.toString() };
  return textOf(fill(language.runs.reasons[kind], members, language), names, language);
}

function keyOf(failure: TraceFailure, facts: RunFacts): RunHintKey | undefined {
  const { phase, exit_code: code, exit_source: source, skipped_reason: skipped } = failure;
  const { actions = [] } = facts;
  if (phase === "action") {
    if (failure.skipped_actions > 0 && !code) return actions.length > 0 ? "leftOut" : undefined;
    const [failed] = actions;
    if (!failed) return undefined;
    return failed.kind === "reserve" ? "reserve" : code === 37 && failed.value ? undefined : "action";
  }
  if (phase !== "compute" || skipped !== null || code === null) return undefined;
  if (facts.library !== undefined) return "library";
  if (failure.library !== undefined) return undefined;
  if (isOutOfGas(code) && facts.error !== undefined) return facts.dearest && "gas";
  if (facts.error === undefined)
    return facts.instruction !== undefined && source === undefined && code > 1 && code < firstOwnCode
      ? "own"
      : undefined;
  if (facts.wanted && facts.left) return facts.wanted.bits > facts.left.bits ? "bits" : "refs";
  return facts.instruction === undefined ? undefined : "machine";
}

function withAccount(failure: TraceFailure, phrase: Phrase, language: RunLanguage): Phrase {
  const members = { account: account(failure.account, "failed"), what: { phrase } };
  return fill(language.failures.of, members, language);
}

function membersOf(facts: RunFacts, language: RunLanguage): Members {
  const { wanted, left, dearest, actions = [] } = facts;
  const kind = wanted && left && wanted.bits > left.bits ? "bits" : "refs";
  const [first] = actions;
  return {
    instruction: facts.instruction,
    error: facts.error,
    wanted: wanted?.[kind],
    left: left?.[kind],
    ...(facts.library !== undefined && { library: facts.library }),
    function: dearest?.name,
    most: dearest?.gas,
    place: facts.place,
    ...(first && actionMembers(first)),
    list: actions.map((action) => ({
      phrase: fill(language.runs.failures.leftOutAction, actionMembers(action), language),
    })),
  };
}

function actionMembers({ number, reason, receiver, value }: RunAction): Members {
  return {
    number,
    reason: { phrase: [reason] },
    receiver: receiver && account(receiver, "receiver"),
    sent: value && ton(value, "sent"),
  };
}
