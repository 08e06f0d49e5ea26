import { itemAt } from "../../../../shared/values/lookups.js";
import { trimEnd } from "../../../../shared/values/trim-end.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { amountText } from "../parts/amount.js";
import { coin } from "../parts/coin.js";
import { outcomeOf } from "../parts/outcome.js";
import { operationOf } from "../transaction/message-names.js";
import type { Layout, PlacedStep } from "./layout.js";
import type { Step } from "./steps.js";

/** Average character width per text class. */
const widths = { title: 7.5, note: 5.8, value: 6.4, operation: 5.8 };

/** The trace as SVG. Steps are tree items for keyboards and screen readers; `data-step` is their index. */
export function drawTrace(steps: readonly Step[], layout: Layout, names: AnswerNames): Markup {
  const { width, height, places } = layout;
  return html`<svg class="trace" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" focusable="false">
<g role="tree" aria-label="Messages of the trace">${steps.map((step, index) => drawStep(step, index, { place: itemAt(places, index), names }))}</g>
</svg>`;
}

type Drawn = { readonly place: PlacedStep; readonly names: AnswerNames };

function drawStep(step: Step, index: number, { place, names }: Drawn): Markup {
  const { x, y, width, height, line, label } = place;
  const { kind, text } = lookOf(step, names);
  const [title, note] = boxTexts(step, names, text);
  const [value, operation] = labelTexts(step);
  return html`<g class="step ${kind}" role="treeitem" data-step="${index}" tabindex="${index === 0 ? 0 : -1}" aria-level="${step.depth + 1}" aria-selected="false" aria-description="${spokenStep(step, names)}">
<path class="edge" d="${line}"/>
${textLine("value", value, { x: label.x, y: label.y - 5, width: label.width })}${textLine("operation", operation, { x: label.x, y: label.y + 13, width: label.width })}
<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>
${textLine("title", title, { x: x + 10, y: y + (note ? 19 : 28), width: width - 20 })}${textLine("note", note, { x: x + 10, y: y + 36, width: width - 20 })}
</g>`;
}

type Line = { readonly x: number; readonly y: number; readonly width: number };

function textLine(
  name: keyof typeof widths,
  text: string | undefined,
  { x, y, width }: Line,
): Markup | undefined {
  if (!text) return undefined;
  return html`<text class="${name}" x="${x}" y="${y}">${clipped(text, width / widths[name])}</text> `;
}

/** Style class of a step, and its outcome. */
export function lookOf({ kind, transaction }: Step, names: AnswerNames): { kind: string; text: string } {
  if (kind !== "transaction")
    return {
      kind,
      text: { event: "leaves the chain", pending: "not received yet", more: "not shown" }[kind],
    };
  if (!transaction) return { kind: "none", text: "not in the answer" };
  const outcome = outcomeOf(transaction, names.contracts(transaction.account));
  return transaction.finality === "finalized" ? outcome : { ...outcome, kind: `${outcome.kind} pending` };
}

/** The account of a step. */
export const accountOf = ({ transaction, message }: Step) =>
  transaction?.account ?? message?.destination ?? undefined;

function boxTexts(
  step: Step,
  names: AnswerNames,
  outcome: string,
): [title: string, note: string | undefined] {
  const account = accountOf(step);
  if (step.kind === "more") return [`${step.messages} more`, undefined];
  const title = account === undefined ? "Event" : names.account(account).text;
  const fee = step.transaction && `fee ${shortAmount(step.transaction.total_fees)}`;
  const look = lookOf(step, names).kind;
  // A failure needs the whole line.
  const parts =
    look === "bad" ? [outcome] : [look.startsWith("good") ? account && names.kind(account) : outcome, fee];
  return [title, parts.filter(Boolean).join(" · ") || undefined];
}

function labelTexts({
  message,
  transaction,
  kind,
  parent,
}: Step): [value: string | undefined, operation: string | undefined] {
  if (kind === "more") return [undefined, undefined];
  if (!message) return [undefined, transaction?.description.type.replaceAll("_", "-")];
  const value =
    message.value === null
      ? parent === undefined
        ? "from outside"
        : undefined
      : `${shortAmount(message.value)} ${coin()}`;
  return [value, operationOf(message)];
}

/** The step as exact text; the drawing shortens it. */
function spokenStep(step: Step, names: AnswerNames): string {
  const { message, transaction, kind, messages } = step;
  if (kind === "more") return `${messages} more ${messages === 1 ? "message" : "messages"}, not shown`;
  const account = accountOf(step);
  const parts = [
    account === undefined ? "Event" : names.account(account).text,
    message ? operationOf(message) : transaction?.description.type.replaceAll("_", "-"),
    message?.value !== null && message?.value !== undefined && `${amountText(message.value, 9)} ${coin()}`,
    lookOf(step, names).text,
    transaction && `fee ${amountText(transaction.total_fees, 9)} ${coin()}`,
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

/** Cuts a text to the width of `length` average characters. */
function clipped(text: string, length: number): string {
  const characters = [...text];
  let taken = 0;
  const end = characters.findIndex((character) => {
    taken += extentOf(character);
    return taken > length;
  });
  return end < 0 ? text : `${characters.slice(0, Math.max(1, end - 1)).join("")}…`;
}

/** Width of a character relative to the average. */
function extentOf(character: string): number {
  if (character > "\u2e7f" || /\p{Extended_Pictographic}/u.test(character)) return 2.3;
  return /[WMmw@%—…]/.test(character) ? 1.7 : /\p{Lu}/u.test(character) ? 1.3 : 1;
}
