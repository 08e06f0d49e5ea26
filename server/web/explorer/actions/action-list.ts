import type { Action } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { partsMarkup, sentenceMarkup } from "./action-rows.js";
import type { AnswerNames } from "./answer-names.js";
import { type Folded, foldActions } from "./fold.js";
import { groupAlike } from "./groups.js";

/** Limit on the lines shown for a trace, and on those of a group that is opened. */
const maxLines = 50;
const maxOpened = 300;

/** Shows actions as sentences. Those that are alike are one line, which opens. */
export function showActions(place: Element, actions: readonly Action[], names: AnswerNames): void {
  if (actions.length === 0) {
    place.innerHTML = html`<p class="empty">No action is known.</p>`.text;
    return;
  }
  const folded = foldActions(actions);
  const groups = groupAlike(folded.actions);
  const shown = groups.slice(0, maxLines);
  place.innerHTML = html`<ul class="action-list">${shown.map((group, index) => {
    const first = itemAt(group, 0);
    return html`<li class="${markOf(first)}">${sentence(first, folded, names)}${
      group.length > 1 &&
      html`<details data-group="${index}"><summary>and ${count(group.length - 1)} like it</summary></details>`
    }</li>`;
  })}</ul>${more(groups.slice(maxLines).flat().length)}`.text;
  for (const details of place.querySelectorAll<HTMLDetailsElement>("[data-group]"))
    details.addEventListener(
      "toggle",
      () => open(details, itemAt(shown, Number(details.dataset["group"])).slice(1), folded, names),
      // The sentences stay when it is closed.
      { once: true },
    );
}

function open(details: HTMLElement, actions: readonly Action[], folded: Folded, names: AnswerNames): void {
  const lines = actions
    .slice(0, maxOpened)
    .map((action) => html`<li class="${markOf(action)}">${sentence(action, folded, names)}</li>`);
  details.insertAdjacentHTML(
    "beforeend",
    html`<ul class="action-list">${lines}</ul>${more(actions.length - maxOpened)}`.text,
  );
}

const markOf = ({ success }: Action) => (success === false ? "bad" : "good");

const more = (rest: number): Markup | false => rest > 0 && html`<p class="hint">And ${count(rest)} more.</p>`;

function sentence(action: Action, { parts }: Folded, names: AnswerNames): Markup {
  const own = parts.get(action);
  return html`${sentenceMarkup(action, names)}${
    action.parent_gasless_action !== undefined &&
    html` <span class="pill" title="Another account delivered and paid for the request to the wallet.">gasless</span>`
  }${action.finality !== "finalized" && html` <span class="pill">${action.finality}</span>`}${own && html`<div class="row-meta">${partsMarkup(own, names)}</div>`}`;
}
