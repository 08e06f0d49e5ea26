import type { Action } from "../../../../client/api.js";
import { englishActions } from "../../../../shared/text/english/english.js";
import { sentenceOf } from "../../../../shared/text/sentence.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { AnswerNames } from "../actions/answer-names.js";
import { groupAlike } from "../actions/groups.js";
import { markupOf } from "../actions/phrase-text.js";
import { hashText, tracePath } from "../parts/hash.js";
import { timeAgo } from "../parts/time.js";
import type { ViewContext } from "../view.js";
import type { Page } from "./pages.js";
import { type ActionFilter, ActionReader } from "./read-actions.js";

const pageLength = 20;
/** A search reads more at a time, and asks before it goes further back. */
const searched = { limit: 200, pages: 5 };

/** Reads the actions of an account, newest first, a page per call. */
export function actionPages(
  { call, names }: ViewContext,
  account: string,
  filter: ActionFilter,
): () => Promise<Page> {
  const isSearch = filter.other !== undefined;
  const reader = new ActionReader(call, account, {
    ...filter,
    limit: isSearch ? searched.limit : pageLength,
  });
  return async () => {
    const parts: Markup[] = [];
    let found = 0;
    let pages = 0;
    do {
      const { actions, ...extras } = await reader.next();
      const known = new AnswerNames(extras, names);
      if (actions.length > 0) parts.push(actionRows(actions, known));
      found += actions.length;
      pages++;
    } while (isSearch && !reader.isAtEnd && found < pageLength && pages < searched.pages);
    const isCut = isSearch && !reader.isAtEnd;
    const note = isCut
      ? `${(pages * searched.limit).toLocaleString("en")} more actions were searched.`
      : undefined;
    return { rows: html`${parts}`, isLast: reader.isAtEnd, note };
  };
}

/** Actions as a list, in which successive ones of one trace and type are one line that opens. */
export function actionRows(actions: readonly Action[], names: AnswerNames): Markup {
  const row = (action: Action) => actionRow(action, names);
  return html`<ol class="rows">${groupAlike(actions).map(
    (group) => html`<li>${row(itemAt(group, 0))}${group.length > 1 && others(group.slice(1).map(row))}</li>`,
  )}</ol>`;
}

function others(rows: readonly Markup[]): Markup {
  return html`<details class="row-lines"><summary>and ${rows.length} like it</summary><ol class="rows">${rows.map((row) => html`<li>${row}</li>`)}</ol></details>`;
}

function actionRow(action: Action, names: AnswerNames): Markup {
  const { trace_id: trace, end_utime: time, success, finality } = action;
  return html`<div class="row-id">${trace !== null && hashText(trace, tracePath)}<span class="aside">${timeAgo(time)}</span>${success === false && html`<span class="pill bad">failed</span>`}${finality !== "finalized" && html`<span class="pill">${finality}</span>`}</div>
    <div class="row-lines sentence">${markupOf(sentenceOf(action, englishActions), names)}</div>`;
}
