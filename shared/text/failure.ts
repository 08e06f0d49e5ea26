import type { TraceFailure } from "../schema/v3/message-status.js";
import { claimedText } from "../values/claimed-text.js";
import { asClause } from "../values/exit-codes/explain.js";
import { isOutOfGas } from "../values/exit-codes/kinds.js";
import { amountText } from "./amount-text.js";
import type { FailureLanguage, FailurePlace, HintKey } from "./language.js";
import { account, type Phrase, ton } from "./phrase.js";
import { type Exit, fill, type Members } from "./template.js";

/** Why a transaction failed, without the mark of the end of a sentence. */
export function failurePhrase(failure: TraceFailure, language: FailureLanguage): Phrase {
  return framed("of", failure, language);
}

/** The same with who had sent the message, if a contract did. */
export function askedFailurePhrase(failure: TraceFailure, language: FailureLanguage): Phrase {
  return framed(failure.source ? "asked" : "of", failure, language);
}

/** What can be done about a failure, in sentences; empty if nothing is known. */
export function failureHint(failure: TraceFailure, language: FailureLanguage): Phrase {
  const { needed, source, bounce, refund } = failure;
  const keys: HintKey[] = [needed === undefined ? placeOf(failure) : source ? "tried" : "toppedUp"];
  if (refund) keys.push("returned");
  else if (bounce && bounce !== "ok") keys.push("notReturned");
  const members = failureMembers(failure, language);
  const sentences = keys
    .map((key) => fill(language.hints[key], members, language))
    .filter((sentence) => sentence.length > 0);
  return sentences.flatMap((sentence, at) => (at === 0 ? sentence : [" ", ...sentence]));
}

function framed(frame: "of" | "asked", failure: TraceFailure, language: FailureLanguage): Phrase {
  const what = fill(language.failures[placeOf(failure)], failureMembers(failure, language), language);
  const sides = {
    account: account(failure.account, "failed"),
    source: failure.source && account(failure.source, "source"),
  };
  return fill(language.failures[frame], { ...sides, what: { phrase: what } }, language);
}

/** Places of result codes of the action phase. */
const actionPlaces: ReadonlyMap<number, FailurePlace> = new Map([
  [32, "action.list"],
  [33, "action.list"],
  [34, "action.list"],
  [37, "action.funds"],
  [38, "action.currency"],
  [40, "action.size"],
]);

function placeOf(failure: TraceFailure): FailurePlace {
  const { phase, exit_code: code, skipped_reason: reason, skipped_actions: leftOut } = failure;
  if (phase === "storage" || phase === "credit") return phase;
  // Nodes take debts in the storage phase, after the value was credited.
  if (reason === "no_gas" && failure.debt) return "credit";
  if (reason !== null) return `skipped.${reason}`;
  if (leftOut > 0 && !code) return "action.leftOut";
  if (code === null) return "unknown";
  if (phase === "action") return actionPlaces.get(code) ?? "action.other";
  return failure.library === undefined ? placeOfExit(code, failure) : "compute.library";
}

/** How a contract ended. */
export type Ended = {
  readonly exit_name?: string | null | undefined;
  readonly exit_meaning?: string | null | undefined;
  /** Present if an ABI names the code. */
  readonly exit_source?: unknown;
  readonly operations?: readonly string[] | undefined;
};

export function placeOfExit(
  code: number,
  { exit_name: name, exit_source: source, operations }: Ended,
): FailurePlace {
  // ABIs of Tact have meanings only: the name of such a code is the number.
  if (source !== undefined) return name === String(code) ? "compute.threw" : "compute.named";
  if (name === "unknown-operation" || operations) return "compute.operation";
  return isOutOfGas(code) ? "compute.gas" : "compute.threw";
}

/** Limit on the words of an ABI. */
const maxMeaning = 200;

/** Members about an exit code. Names and meanings of an ABI are its author's. */
export function exitMembers(code: number | null, { exit_name, exit_meaning, exit_source }: Ended): Members {
  if (code === null) return {};
  const exit: Exit = { exit: code, meaning: exit_meaning ? asClause({ text: exit_meaning }) : undefined };
  if (exit_source === undefined) return { exit, code };
  const meaning = claimedText(exit_meaning ?? "", maxMeaning).replace(/\.$/, "");
  return { exit, code, name: exit_name, meaning: meaning && { phrase: [meaning] } };
}

/** Gas with the separators of the language. */
export const gasText = (gas: string | number | null | undefined, { locale }: FailureLanguage) =>
  gas === null || gas === undefined ? undefined : amountText(gas, 0, locale);

/** The members of templates about a failure. */
export function failureMembers(failure: TraceFailure, language: FailureLanguage): Members {
  const { failed_action: action, refund, became } = failure;
  return {
    ...exitMembers(failure.exit_code, failure),
    became: became && { word: became },
    debt: failure.debt,
    value: failure.value && ton(failure.value, "value"),
    operation: failure.operation,
    opcode: failure.operation ? undefined : failure.opcode,
    operations: failure.operations,
    gas: gasText(failure.gas_used, language),
    library: failure.library,
    number: action?.number,
    receiver: action?.account,
    sent: action?.value && ton(action.value, "sent"),
    available: action?.available,
    actions: failure.skipped_actions,
    needed: failure.needed,
    refund: refund?.value,
    payee: refund && account(refund.account, "refunded"),
  };
}
