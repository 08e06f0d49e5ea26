import type { Trace } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { growCells } from "../transaction/message.js";
import { drawTrace } from "./drawing.js";
import { layoutInColumns, layoutInRows } from "./layout.js";
import { stepPanel } from "./step-panel.js";
import { type Step, stepsOf } from "./steps.js";
import { traceTable } from "./table.js";

/** Transactions shown at first; each request for more multiplies the limit by `growth`. */
const initialLimit = 120;
const growth = 4;
const maxLimit = 2000;
/** Below this width, steps are stacked vertically. */
const narrow = 560;
/** The values of the page's style sheet. */
const pageMargin = 17;
const widestPage = 1166;
const border = 1;

/** A trace as a picture with a selectable step, and as a table. */
export class TracePicture {
  readonly element = document.createElement("section");
  readonly #picture: HTMLElement;
  readonly #panel: HTMLElement;
  readonly #below: HTMLElement;
  #trace: Trace | undefined;
  #names: AnswerNames | undefined;
  #steps: readonly Step[] = [];
  #limit = initialLimit;
  #chosen: string | undefined;
  #drawnWidth = 0;

  constructor() {
    this.element.className = "trace-view";
    this.element.innerHTML =
      html`<div class="trace-picture"></div><aside class="trace-step dense" aria-label="Chosen message" hidden></aside><div class="trace-below"></div>`.text;
    [this.#picture, this.#panel, this.#below] = [...this.element.children] as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ];
    growCells(this.#panel);
    this.#panel.addEventListener("click", ({ target }) => {
      if ((target as Element).closest("[data-close]")) this.#close();
    });
    this.#picture.addEventListener("click", ({ target }) => this.#choose(stepOf(target)));
    this.#picture.addEventListener("keydown", (event) => this.#onKey(event));
    this.#below.addEventListener("click", ({ target }) => {
      if ((target as Element).closest("[data-more]")) this.#showMore();
    });
    new ResizeObserver(() => {
      if (this.#picture.clientWidth !== this.#drawnWidth) this.#draw();
    }).observe(this.#picture);
  }

  /** Shows a trace or its update. The selected step stays selected. */
  show(trace: Trace, names: AnswerNames): void {
    const focused = this.#focusedStep();
    this.#trace = trace;
    this.#names = names;
    this.#steps = stepsOf(trace, this.#limit);
    this.#draw(focused);
    this.#showPanel();
    this.#showBelow();
  }

  #draw(focused = this.#focusedStep()): void {
    if (!this.#names) return;
    this.#drawnWidth = this.#picture.clientWidth;
    // Before it is attached, use its later width, so that the layout does not shift.
    const width = this.#drawnWidth || Math.min(window.innerWidth - 2 * pageMargin, widestPage);
    // Opening the panel, which narrows the picture, does not change the columns.
    const widest = Math.max(width, this.element.clientWidth - 2 * border);
    const layout = width < narrow ? layoutInRows(this.#steps, width) : layoutInColumns(this.#steps, widest);
    this.#picture.innerHTML = drawTrace(this.#steps, layout, this.#names).text;
    this.#mark();
    const index = this.#steps.findIndex(({ id }) => id === focused);
    if (index >= 0) this.#focus(index);
  }

  /** Id of the focused step. */
  #focusedStep(): string | undefined {
    return this.#steps[stepOf(document.activeElement) ?? -1]?.id;
  }

  #showPanel(): void {
    const step = this.#steps[this.#chosenIndex() ?? -1];
    this.#panel.hidden = step === undefined;
    this.#panel.innerHTML = step && this.#names ? stepPanel(step, this.#names).text : "";
  }

  #close(): void {
    const index = this.#chosenIndex() ?? 0;
    this.#chosen = undefined;
    this.#mark();
    this.#showPanel();
    this.#focus(index);
  }

  #showBelow(): void {
    const isCut = this.#steps.some(({ kind }) => kind === "more");
    const isOpen = this.#below.querySelector("details")?.open;
    this.#below.innerHTML =
      html`${isCut && this.#limit < maxLimit && html`<p><button type="button" data-more>Show more</button></p>`}
<details class="fold"${isOpen && html` open`}><summary>As a table</summary>${this.#names && traceTable(this.#steps, this.#names)}</details>`.text;
  }

  #showMore(): void {
    this.#limit = Math.min(maxLimit, this.#limit * growth);
    if (this.#trace && this.#names) this.show(this.#trace, this.#names);
  }

  #choose(index: number | undefined): void {
    const step = this.#steps[index ?? -1];
    if (!step || index === undefined) return;
    this.#chosen = step.id;
    this.#mark();
    this.#showPanel();
    this.#focus(index);
    // On narrow screens the panel is below the picture.
    if (this.#panel.getBoundingClientRect().top > window.innerHeight - 100)
      this.#panel.scrollIntoView({ block: "start" });
  }

  #chosenIndex(): number | undefined {
    const index = this.#steps.findIndex(({ id }) => id === this.#chosen);
    return index < 0 ? undefined : index;
  }

  #mark(): void {
    const chosen = this.#chosenIndex();
    for (const element of this.#elements()) {
      const isChosen = Number(element.dataset["step"]) === chosen;
      element.setAttribute("aria-selected", String(isChosen));
    }
    this.#rove(chosen ?? 0);
  }

  #onKey(event: KeyboardEvent): void {
    const index = stepOf(event.target);
    if (index === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#choose(index);
    else if (event.key === "Escape") this.#close();
    else {
      const next = this.#neighbour(index, event.key);
      if (next === undefined) return;
      this.#focus(next);
    }
    event.preventDefault();
  }

  /** The neighbour in an arrow key's direction: right and left along messages, up and down among siblings. */
  #neighbour(index: number, key: string): number | undefined {
    const { parent, children } = itemAt(this.#steps, index);
    const siblings = parent === undefined ? [index] : itemAt(this.#steps, parent).children;
    const at = siblings.indexOf(index);
    const neighbours: Record<string, number | undefined> = {
      ArrowRight: children[0],
      ArrowLeft: parent,
      ArrowDown: siblings[at + 1],
      ArrowUp: siblings[at - 1],
      Home: 0,
      End: this.#steps.length - 1,
    };
    return neighbours[key];
  }

  /** Only one step is in the tab order (roving tabindex). */
  #rove(index: number): void {
    for (const element of this.#elements())
      element.setAttribute("tabindex", Number(element.dataset["step"]) === index ? "0" : "-1");
  }

  #focus(index: number): void {
    this.#rove(index);
    const element = this.#picture.querySelector<SVGElement>(`[data-step="${index}"]`);
    element?.focus({ preventScroll: true });
    element?.querySelector("rect")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  #elements(): NodeListOf<SVGElement> {
    return this.#picture.querySelectorAll<SVGElement>("[data-step]");
  }
}

function stepOf(target: EventTarget | null): number | undefined {
  const step =
    target instanceof Element ? target.closest<SVGElement>("[data-step]")?.dataset["step"] : undefined;
  return step === undefined ? undefined : Number(step);
}
