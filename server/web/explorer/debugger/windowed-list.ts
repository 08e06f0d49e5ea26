import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";

/** Height of a row in pixels; the style sheet has the same. */
const rowHeight = 24;
/** Rows that are drawn beyond the edges. */
const margin = 20;

type Rows = {
  readonly count: number;
  /** The row that is marked. */
  readonly current: number | undefined;
  markup(index: number): Markup;
};

type Options = {
  readonly label: string;
  pick(index: number, target: Element): void;
  /** Called when rows near one of the ends are drawn. */
  atEnd?(end: "start" | "end"): void;
};

/** A list of rows of one height, of which only the visible ones are drawn. */
export class WindowedList {
  readonly element = document.createElement("div");
  readonly #list: HTMLOListElement;
  readonly #options: Options;
  #rows: Rows = { count: 0, current: undefined, markup: () => html`` };
  #frame: number | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.element.className = "debug-list";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "region");
    this.element.setAttribute("aria-label", options.label);
    this.element.innerHTML = html`<ol></ol>`.text;
    this.#list = elementOf<HTMLOListElement>(this.element, "ol");
    this.element.addEventListener("scroll", () => this.#drawSoon());
    new ResizeObserver(() => this.#drawSoon()).observe(this.element);
    this.#list.addEventListener("click", ({ target }) => {
      const row = (target as Element).closest<HTMLElement>("[data-row]");
      if (row) options.pick(Number(row.dataset["row"]), target as Element);
    });
  }

  /** Shows rows. The marked one comes into view; `kept` says which row stays where it is instead, and where it was before. */
  show(rows: Rows, kept?: { readonly index: number; readonly before: number }): void {
    this.#rows = rows;
    this.#list.style.height = `${rows.count * rowHeight}px`;
    if (kept) this.element.scrollTop += (kept.index - kept.before) * rowHeight;
    else if (rows.current !== undefined) this.#reveal(rows.current);
    this.#draw();
  }

  /** The first row that is visible. */
  get top(): number {
    return Math.min(Math.floor(this.element.scrollTop / rowHeight), Math.max(0, this.#rows.count - 1));
  }

  #reveal(index: number): void {
    const { scrollTop, clientHeight } = this.element;
    const top = index * rowHeight;
    // Two rows of context; a far row comes into the middle.
    const context = 2 * rowHeight;
    const isNear = top > scrollTop - clientHeight && top < scrollTop + 2 * clientHeight;
    const least = top + rowHeight + context - clientHeight;
    this.element.scrollTop = isNear
      ? Math.max(least, Math.min(scrollTop, top - context))
      : top - clientHeight / 2;
  }

  #drawSoon(): void {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#draw();
    });
  }

  #draw(): void {
    const { count, current, markup } = this.#rows;
    const visible = Math.ceil(this.element.clientHeight / rowHeight);
    const from = Math.max(0, this.top - margin);
    const to = Math.min(count, this.top + visible + margin);
    this.#list.style.paddingTop = `${from * rowHeight}px`;
    this.#list.start = from + 1;
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, place) => {
      const index = from + place;
      return html`<li data-row="${index}"${index === current && html` aria-current="true"`}>${markup(index)}</li>`;
    });
    this.#list.innerHTML = html`${rows}`.text;
    if (visible === 0 || count === 0) return;
    if (from === 0) this.#options.atEnd?.("start");
    if (to === count) this.#options.atEnd?.("end");
  }
}
