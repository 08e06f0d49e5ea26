import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { failure } from "../parts/failure.js";
import type { ViewContext } from "../view.js";

/** A page of a list; the next one begins where it ends. */
export type Page = {
  readonly rows: Markup;
  readonly isLast: boolean;
  /** Says what the page leaves out. */
  readonly note?: string | undefined;
};

/** Shows a list page by page, with a button for the next one. */
export async function showPages(
  { signal }: Pick<ViewContext, "signal">,
  place: HTMLElement,
  read: () => Promise<Page>,
  more = "Older",
): Promise<void> {
  place.innerHTML = html`<div data-list></div><p class="more"></p>`.text;
  const list = elementOf(place, "[data-list]");
  const foot = elementOf(place, ".more");
  // A list in the place of this one ends it.
  const isOver = () => signal.aborted || !place.contains(foot);
  const next = async () => {
    foot.innerHTML = html`<span class="aside" role="status">Reading…</span>`.text;
    try {
      const { rows, isLast, note } = await read();
      if (isOver()) return;
      list.insertAdjacentHTML("beforeend", rows.text);
      const isEmpty = isLast && list.childElementCount === 0;
      foot.innerHTML =
        html`${isEmpty && html`<span class="empty">Nothing is found.</span>`}${!isLast && html`<button type="button">${more}</button>`}
        ${note !== undefined && html`<span class="aside">${note}</span>`}`.text;
    } catch (error) {
      if (!isOver()) foot.innerHTML = html`${failure(error)}<button type="button">Try again</button>`.text;
    }
  };
  foot.addEventListener("click", (event) => {
    if ((event.target as Element).closest("button")) void next();
  });
  await next();
}
