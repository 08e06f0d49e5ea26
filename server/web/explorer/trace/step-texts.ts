import { trimEnd } from "../../../../shared/values/trim-end.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { amountText, coin, count } from "../parts/amount.js";
import { outcomeOf } from "../parts/outcome.js";
import { operationOf } from "../transaction/message-names.js";
import type { Step } from "./steps.js";

/** Style class of a step, and its outcome. */
export function lookOf({ kind, transaction }: Step, names: AnswerNames): { kind: string; text: string } {
  if (kind === "event" || kind === "pending" || kind === "more" || (kind === "fold" && !transaction))
    return {
      kind,
      text: { event: "leaves the chain", pending: "not received yet", more: "not shown", fold: "" }[kind],
    };
  if (!transaction) return { kind: "none", text: "not in the answer" };
  const outcome = outcomeOf(transaction, names.contracts(transaction.account));
  return transaction.finality === "finalized" ? outcome : { ...outcome, kind: `${outcome.kind} pending` };
}

/** The account of a step. */
export const accountOf = ({ transaction, message }: Pick<Step, "transaction" | "message">) =>
  transaction?.account ?? message?.destination ?? undefined;

/** The operation of a step's message, or the type of a transaction without one. */
export const operationIn = ({ message, transaction }: Step): string | undefined =>
  message ? operationOf(message) : transaction?.description.type.replaceAll("_", "-");

/** The account of a step in words; equal steps may have several. */
function whoOf(step: Step, names: AnswerNames): string {
  const accounts = new Set((step.folded ?? [step]).map(accountOf));
  if (accounts.size > 1) return `${count(accounts.size)} accounts`;
  const account = accountOf(step);
  return account === undefined ? "Event" : names.account(account).text;
}

const feesOf = (step: Step): bigint | undefined =>
  step.transaction &&
  (step.folded ?? [step]).reduce((sum, { transaction }) => sum + BigInt(transaction?.total_fees ?? 0), 0n);

/** The two lines in the box of a step. */
export function boxTexts(step: Step, names: AnswerNames): [title: string, note: string | undefined] {
  const account = accountOf(step);
  if (step.kind === "more") return [`${count(step.messages)} more`, undefined];
  const { kind: look, text: outcome } = lookOf(step, names);
  const fees = feesOf(step);
  const fee = fees !== undefined && `${step.folded ? "fees" : "fee"} ${shortAmount(fees.toString())}`;
  const isGood = look.startsWith("good");
  const usual = isGood && !step.folded ? account && names.kind(account) : outcome;
  // A failure needs the whole line.
  const parts = look === "bad" ? [outcome] : [usual, fee];
  return [whoOf(step, names), parts.filter(Boolean).join(" · ") || undefined];
}

/** The two lines at the message of a step. */
export function labelTexts(step: Step): [value: string | undefined, operation: string | undefined] {
  const { message, kind, parent, folded } = step;
  if (kind === "more") return [undefined, undefined];
  const operation = operationIn(step);
  const times = folded && `${count(folded.length)} ×`;
  if (!message) return [times, operation];
  const amount = message.value === null ? undefined : `${shortAmount(message.value)} ${coin()}`;
  const value = amount ?? (parent === undefined ? "from outside" : undefined);
  return [[times, value].filter(Boolean).join(" ") || undefined, operation];
}

/** The step as exact text; the drawing shortens it. */
export function spokenStep(step: Step, names: AnswerNames): string {
  const { message, kind, messages, folded } = step;
  if (kind === "more") return `${count(messages)} more ${messages === 1 ? "message" : "messages"}, not shown`;
  const value = message?.value;
  const fees = feesOf(step);
  const parts = [
    folded && `${count(folded.length)} equal messages, folded`,
    whoOf(step, names),
    operationIn(step),
    value !== null && value !== undefined && `${amountText(value, 9)} ${coin()}${folded ? " each" : ""}`,
    lookOf(step, names).text,
    fees !== undefined && `${folded ? "fees" : "fee"} ${amountText(fees, 9)} ${coin()}`,
  ];
  return parts.filter(Boolean).join(", ");
}

/** Decimals shown in the picture; amounts are exact everywhere else. */
const shownDecimals = 4;

/** A shortened amount of TON; `≈` if digits are omitted. */
export function shortAmount(nanotons: string): string {
  const exact = amountText(nanotons, 9);
  const point = exact.indexOf(".");
  if (point < 0 || exact.length - point - 1 <= shownDecimals) return exact;
  const cut = trimEnd(trimEnd(exact.slice(0, point + 1 + shownDecimals), "0"), ".");
  return cut === "0" || cut === "−0" ? `<0.0001` : `≈${cut}`;
}
