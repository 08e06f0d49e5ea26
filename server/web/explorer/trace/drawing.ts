import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import type { PlacedStep } from "./layout.js";
import { accountOf, boxTexts, labelTexts, lookOf, spokenStep } from "./step-texts.js";
import type { Step } from "./steps.js";

/** Average character width per text class. */
const widths = { title: 7.5, note: 5.8, value: 6.4, operation: 5.8 };

type Drawn = {
  readonly index: number;
  readonly place: PlacedStep;
  /** Its position among its siblings, not all of which may be drawn. */
  readonly position: { readonly at: number; readonly of: number };
  readonly names: AnswerNames;
  /** Draws the texts; they cannot be read in a small picture. */
  readonly withTexts: boolean;
};

/** A step as SVG: a tree item for keyboards and screen readers; `data-step` is its index. */
export function drawStep(step: Step, { index, place, position, names, withTexts }: Drawn): Markup {
  const { x, y, width, height } = place;
  const isFold = step.folded !== undefined;
  const classes = [lookOf(step, names).kind, isFold && "fold-step"].filter(Boolean).join(" ");
  return html`<g class="step ${classes}" role="treeitem" data-step="${index}" tabindex="-1" aria-level="${step.depth + 1}" aria-posinset="${position.at}" aria-setsize="${position.of}" aria-selected="false"${isFold && html` aria-expanded="false"`} ${withTexts ? html`aria-description` : html`aria-label`}="${spokenStep(step, names)}">
${isFold && html`<rect class="behind" x="${x + 4}" y="${y + 4}" width="${width}" height="${height}" rx="6"/>`}<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>
${withTexts && textsOf(step, place, names)}
</g>`;
}

function textsOf(step: Step, { x, y, width, label }: PlacedStep, names: AnswerNames): Markup {
  const [title, note] = boxTexts(step, names);
  const [value, operation] = labelTexts(step);
  const account = step.folded ? undefined : accountOf(step);
  const isOwn = account !== undefined && names.isOwn(account);
  return html`${textLine("value", value, { x: label.x, y: label.y - 5, width: label.width })}${textLine("operation", operation, { x: label.x, y: label.y + 13, width: label.width })}
${textLine(isOwn ? "title own" : "title", isOwn ? `★ ${title}` : title, { x: x + 10, y: y + (note ? 19 : 28), width: width - 20 })}${textLine("note", note, { x: x + 10, y: y + 36, width: width - 20 })}`;
}

type Line = { readonly x: number; readonly y: number; readonly width: number };

function textLine(
  name: keyof typeof widths | "title own",
  text: string | undefined,
  { x, y, width }: Line,
): Markup | undefined {
  if (!text) return undefined;
  return html`<text class="${name}" x="${x}" y="${y}">${clipped(text, width / widths[name === "title own" ? "title" : name])}</text> `;
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
