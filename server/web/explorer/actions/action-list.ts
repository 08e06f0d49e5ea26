import type { Action } from "../../../../client/api.js";
import { englishActions } from "../../../../shared/text/english/english.js";
import { sentenceOf } from "../../../../shared/text/sentence.js";
import { html, type Markup } from "../../pages/markup.js";
import type { AnswerNames } from "./answer-names.js";
import { markupOf } from "./phrase-text.js";

/** Limit on the actions shown for a trace. */
const maxActions = 50;

/** Actions as sentences. */
export function actionList(actions: readonly Action[], names: AnswerNames): Markup {
  if (actions.length === 0) return html`<p class="empty">No action is known.</p>`;
  const rest = actions.length - maxActions;
  return html`<ul class="action-list">${actions.slice(0, maxActions).map((action) => {
    const kind = action.success === false ? "bad" : "good";
    return html`<li class="${kind}">${markupOf(sentenceOf(action, englishActions), names)}${action.finality !== "finalized" && html` <span class="pill">${action.finality}</span>`}</li>`;
  })}</ul>${rest > 0 && html`<p class="hint">And ${rest} more.</p>`}`;
}
