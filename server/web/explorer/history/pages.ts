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

/** The rows of a page, and the number of records that it was made of. */
type OffsetPage = { readonly rows: Markup; readonly many: number };

/** Reads a list page by page by offset: each page begins where the one before has ended. */
export function pagesByOffset(
  limit: number,
  read: (page: { limit: number; offset: number }) => Promise<OffsetPage>,
): () => Promise<Page> {
  let offset = 0;
  return async () => {
    const { rows, many } = await read({ limit, offset });
    offset += many;
    return { rows, isLast: many < limit };
  };
}

/** The rows of a page, and the answer's cursor: `null` at the end of the list. */
type CursorPage = { readonly rows: Markup; readonly cursor?: string | null | undefined };

/** Reads a list page by page by cursor: no page costs more than the first, however far down it is. */
export function pagesByCursor(
  limit: number,
  read: (page: { limit: number; cursor: string }) => Promise<CursorPage>,
): () => Promise<Page> {
  let cursor = "start";
  return async () => {
    const { rows, cursor: next } = await read({ limit, cursor });
    if (next) cursor = next;
    return { rows, isLast: !next };
  };
}

/** Leaves out records of earlier pages: one that changes between two pages may be on both. */
export function unseen<Item extends { readonly address: string }>(): (items: readonly Item[]) => Item[] {
  const seen = new Set<string>();
  return (items) => items.filter(({ address }) => !seen.has(address) && seen.add(address));
}

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
