import type { Action } from "../../../../client/api.js";
import { englishActions, englishFailures } from "../../../../shared/text/english/english.js";
import { amountWords } from "../../../../shared/text/phrase-text.js";
import { isReturn, sentenceWithReason } from "../../../../shared/text/sentence.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { signed } from "../parts/amount.js";
import { hashText, tracePath } from "../parts/hash.js";
import { timeAgo } from "../parts/time.js";
import type { AnswerNames } from "./answer-names.js";
import { foldActions } from "./fold.js";
import { groupAlike } from "./groups.js";
import { type Move, movesOf } from "./moves.js";
import { accountLink, markupOf } from "./phrase-text.js";

type RowOptions = {
  readonly names: AnswerNames;
  /** Raw address of the account whose actions these are: amounts have the sign that they have for it. */
  readonly account?: string | undefined;
};

/** Actions as a list, in which alike ones of one trace are one line that opens. */
export function actionRows(actions: readonly Action[], options: RowOptions): Markup {
  const { actions: shown, parts } = foldActions(actions);
  const row = (action: Action) => actionRow(action, parts.get(action) ?? [], options);
  return html`<ol class="rows events">${groupAlike(shown).map(
    (group) => html`<li>${row(itemAt(group, 0))}${group.length > 1 && others(group.slice(1).map(row))}</li>`,
  )}</ol>`;
}

function others(rows: readonly Markup[]): Markup {
  return html`<details><summary>and ${rows.length} like it</summary><ol class="rows events">${rows.map((row) => html`<li>${row}</li>`)}</ol></details>`;
}

function actionRow(action: Action, parts: readonly Action[], { names, account }: RowOptions): Markup {
  const { trace_id: trace, end_utime: time, success, finality } = action;
  const hasFailed = success === false;
  return html`<div class="sentence">${sentenceMarkup(action, names)}</div>
    <div class="moves">${movesOf(action, account)
      .slice(0, maxMoves)
      .map((move) => moveMarkup(move, hasFailed, names))}</div>
    <div class="row-meta">${finality !== "finalized" && html`<span class="pill">${finality}</span>`}
      ${timeAgo(time)}${trace !== null && hashText(trace, tracePath)}${partsMarkup(parts, names)}</div>`;
}

/** The sentence about an action. A failure is marked where it begins to say so. */
export function sentenceMarkup(action: Action, names: AnswerNames): Markup {
  const phrase = sentenceWithReason(action, action.failure, englishFailures);
  const [mark = "", ...rest] = phrase;
  return action.success === false && typeof mark === "string"
    ? html`<strong class="failed">${mark}</strong>${markupOf(rest, names)}`
    : markupOf(phrase, names);
}

const maxMoves = 3;

/** An amount with its sign. That of a failed action is crossed out. */
function moveMarkup({ amount, way }: Move, hasFailed: boolean, names: AnswerNames): Markup {
  const words = amountWords(amount, names, englishActions);
  return hasFailed ? html`<s class="amount">${words}</s>` : signed(words, way);
}

const maxParts = 3;

/** The deployments and returned messages of an action. */
export function partsMarkup(parts: readonly Action[], names: AnswerNames): Markup {
  const more = parts.length - maxParts;
  return html`${parts.slice(0, maxParts).map((part) => html`<span>${partMarkup(part, names)}</span>`)}${more > 0 && html`<span>and ${more} more</span>`}`;
}

function partMarkup(part: Action, names: AnswerNames): Markup {
  if (!isReturn(part)) {
    const { destination } = part.details as { destination?: string | null };
    return html`deployed ${destination ? accountLink(destination, names) : "a contract"}`;
  }
  const [move] = movesOf(part);
  return html`${move ? amountWords(move.amount, names, englishActions) : "nothing"} came back`;
}
