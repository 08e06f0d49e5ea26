import { html, type Markup } from "../../pages/markup.js";
import { actionRows } from "../actions/action-rows.js";
import { AnswerNames } from "../actions/answer-names.js";
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
      if (actions.length > 0)
        parts.push(actionRows(actions, { names: new AnswerNames(extras, names), account }));
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
