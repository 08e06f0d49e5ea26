import type { Trace } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import type { AnswerNames } from "../actions/answer-names.js";
import { growCells } from "../parts/cell-tree.js";
import { TraceCanvas } from "./canvas.js";
import { foldEqual, leadsToFailure } from "./fold.js";
import { layoutInColumns, layoutInRows } from "./layout.js";
import { stepPanel } from "./step-panel.js";
import { lookOf } from "./step-texts.js";
import { type Step, stepsOf } from "./steps.js";
import { showTable } from "./table.js";
import { TraceTools } from "./tools.js";

/** The most transactions of an answer. */
const maxTransactions = 4000;
/** Below this width, steps are stacked vertically. */
const narrow = 560;
/** The values of the page's style sheet. */
const pageMargin = 17;
const widestPage = 1166;
const border = 1;
const zoomStep = 1.25;
const scrollStep = 60;

/** A trace as a picture with a selectable step, and as a table. */
export class TracePicture {
  readonly element = document.createElement("section");
  readonly #canvas = new TraceCanvas((scale) => this.#tools.showScale(scale));
  readonly #tools = new TraceTools({
    zoomBy: (way) => this.#canvas.zoomBy(way === "in" ? zoomStep : 1 / zoomStep),
    zoomToWhole: () => this.#canvas.zoomToWhole(),
    fit: () => this.#canvas.fit(),
    fold: (isFolded) => this.#foldAll(isFolded),
    nextFailure: () => this.#nextFailure(),
  });
  readonly #panel: HTMLElement;
  readonly #table: HTMLDetailsElement;
  #names: AnswerNames | undefined;
  /** All steps, and those that are shown. */
  #whole: readonly Step[] = [];
  #steps: readonly Step[] = [];
  /** Ids of opened folds, or all of them. */
  #open: Set<string> | "all" = new Set();
  #chosen: string | undefined;
  #drawnWidth = 0;

  constructor() {
    this.element.className = "trace-view";
    this.element.innerHTML =
      html`<aside class="trace-step dense" aria-label="Chosen message" hidden></aside><div class="trace-below"><details class="fold"><summary>As a table</summary><div></div></details></div>`.text;
    this.element.prepend(this.#tools.element, this.#canvas.element);
    this.#panel = elementOf(this.element, "aside");
    this.#table = elementOf<HTMLDetailsElement>(this.element, "details");
    growCells(this.#panel);
    this.#panel.addEventListener("click", ({ target }) => {
      if ((target as Element).closest("[data-close]")) this.#close();
    });
    this.#canvas.element.addEventListener("click", ({ target }) => this.#choose(stepOf(target)));
    this.#canvas.element.addEventListener("keydown", (event) => this.#onKey(event));
    this.#table.addEventListener("toggle", () => this.#showTable());
    new ResizeObserver(() => {
      if (this.#canvas.element.clientWidth !== this.#drawnWidth) this.#draw();
    }).observe(this.#canvas.element);
  }

  /** Shows a trace or its update. The selected step stays selected. */
  show(trace: Trace, names: AnswerNames): void {
    const focused = this.#focusedStep();
    this.#names = names;
    this.#whole = stepsOf(trace, maxTransactions);
    this.#showFolded(focused);
    this.#showPanel();
    this.#showTable();
  }

  #showFolded(focused = this.#focusedStep()): void {
    const open = this.#open;
    const { steps, groups } = foldEqual(this.#whole, (id) => open === "all" || open.has(id));
    this.#steps = steps;
    const isFolded = open !== "all" && open.size === 0;
    const failures = this.#failures().length;
    this.#tools.show({ groups, isFolded, failures });
    this.#draw(focused);
  }

  #draw(focused = this.#focusedStep()): void {
    if (!this.#names) return;
    this.#drawnWidth = this.#canvas.element.clientWidth;
    // Before it is attached, use its later width, so that the layout does not shift.
    const width = this.#drawnWidth || Math.min(window.innerWidth - 2 * pageMargin, widestPage);
    // Opening the panel, which narrows the picture, does not change the columns.
    const widest = Math.max(width, this.element.clientWidth - 2 * border);
    const steps = this.#steps;
    const layout = width < narrow ? layoutInRows(steps, width) : layoutInColumns(steps, widest);
    this.#canvas.show(
      { steps, layout, names: this.#names, leads: leadsToFailure(steps) },
      this.#chosenIndex(),
    );
    const index = this.#steps.findIndex(({ id }) => id === focused);
    if (index >= 0) this.#canvas.focus(index);
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
    const index = this.#chosenIndex() ?? stepOf(document.activeElement) ?? 0;
    this.#chosen = undefined;
    this.#canvas.mark(undefined, index);
    this.#showPanel();
    this.#canvas.focus(index);
  }

  #showTable(): void {
    const place = elementOf(this.#table, "div");
    if (!this.#table.open) place.replaceChildren();
    else if (this.#names) showTable(place, this.#whole, this.#names);
  }

  #foldAll(isFolded: boolean): void {
    this.#open = isFolded ? new Set() : "all";
    this.#showFolded();
    this.#showPanel();
  }

  /** Opens a step that stands for equal ones, and goes to the first of them. */
  #unfold({ id, folded }: Step): void {
    if (this.#open === "all") return;
    this.#open.add(id);
    this.#showFolded(folded?.[0]?.id);
  }

  #failures(): number[] {
    const names = this.#names;
    if (!names) return [];
    return [...this.#steps.keys()].filter((index) =>
      lookOf(itemAt(this.#steps, index), names).kind.startsWith("bad"),
    );
  }

  /** Shows the failed step after the focused or chosen one. */
  #nextFailure(): void {
    const failures = this.#failures();
    const from = this.#chosenIndex() ?? stepOf(document.activeElement) ?? -1;
    const next = failures.find((index) => index > from) ?? failures[0];
    if (next === undefined) return;
    if (itemAt(this.#steps, next).folded) this.#canvas.focus(next);
    else this.#choose(next);
  }

  #choose(index: number | undefined): void {
    const step = this.#steps[index ?? -1];
    if (!step || index === undefined) return;
    if (step.folded) {
      this.#unfold(step);
      return;
    }
    this.#chosen = step.id;
    this.#canvas.mark(index, index);
    this.#showPanel();
    this.#canvas.focus(index);
    // On narrow screens the panel is below the picture.
    if (this.#panel.getBoundingClientRect().top > window.innerHeight - 100)
      this.#panel.scrollIntoView({ block: "start" });
  }

  #chosenIndex(): number | undefined {
    const index = this.#steps.findIndex(({ id }) => id === this.#chosen);
    return index < 0 ? undefined : index;
  }

  #onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.#zoomByKey(event.key) || this.#moveByKey(event)) event.preventDefault();
  }

  #zoomByKey(key: string): boolean {
    if (key === "+" || key === "=") this.#canvas.zoomBy(zoomStep);
    else if (key === "-") this.#canvas.zoomBy(1 / zoomStep);
    else if (key === "0") this.#canvas.zoomToWhole();
    else return false;
    return true;
  }

  /** Keys of a step. Where the picture itself has the focus, the browser scrolls it. */
  #moveByKey({ key, shiftKey, target }: KeyboardEvent): boolean {
    const index = stepOf(target);
    if (index === undefined) return false;
    const way = ways[key];
    if (shiftKey && way) this.#canvas.scrollBy(way[0] * scrollStep, way[1] * scrollStep);
    else if (key === "Enter" || key === " ") this.#choose(index);
    else if (key === "Escape") this.#close();
    else if (key === "ArrowRight" && itemAt(this.#steps, index).folded) this.#choose(index);
    else {
      const next = this.#neighbour(index, key);
      if (next === undefined) return false;
      this.#canvas.focus(next);
    }
    return true;
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
}

const ways: Readonly<Record<string, readonly [across: number, down: number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

function stepOf(target: EventTarget | null): number | undefined {
  const step =
    target instanceof Element ? target.closest<SVGElement>("[data-step]")?.dataset["step"] : undefined;
  return step === undefined ? undefined : Number(step);
}
