import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { claimed } from "../parts/text.js";
import { foldSteps, type Node, type Row, rowsOf, type Unit } from "./rows.js";
import type { RunSteps } from "./run-steps.js";
import { WindowedList } from "./windowed-list.js";

/** Steps in the list: it moves along a longer run. */
const mostSteps = 4000;
const addedSteps = 1000;
/** A list with fewer rows is not full. */
const fewRows = 30;
/** Indentation is shown for so many loops. */
const deepest = 6;

type Options = {
  readonly steps: RunSteps;
  /** The text of a unit: its source line, or its instruction. */
  textOf(unit: Unit): Markup;
  pick(step: number): void;
  fail(error: unknown): void;
};

/** The steps around the current one, by source line where it is known, with loops folded. */
export class StepList {
  readonly #options: Options;
  readonly #list: WindowedList;
  #window = { from: 0, to: 0 };
  #nodes: readonly Node[] = [];
  #rows: readonly Row[] = [];
  #current = 0;
  #latest = 0;
  #isLoading = false;

  constructor(options: Options) {
    this.#options = options;
    this.#list = new WindowedList({
      label: "Steps",
      pick: (index) => options.pick(itemAt(this.#rows, index).from),
      atEnd: (end) => void this.#extend(end).catch(options.fail),
    });
  }

  get element(): HTMLElement {
    return this.#list.element;
  }

  /** Shows a step, and reads the steps around it first if they are not there. */
  async show(n: number): Promise<void> {
    const mine = ++this.#latest;
    this.#current = n;
    const { from, to } = this.#window;
    if (n < from || n >= to) {
      const wanted = this.#options.steps.around(n, 1);
      const steps = await this.#options.steps.between(wanted.from, wanted.to);
      if (mine !== this.#latest) return;
      this.#window = wanted;
      this.#nodes = foldSteps(steps);
    }
    this.#draw();
  }

  /** The step where the next line begins, or this line or the one before. */
  async line(direction: 1 | -1): Promise<number> {
    // The list may have been scrolled far away from it.
    await this.show(this.#current);
    const own = this.#unitAt(this.#current);
    if (!own) return this.#current;
    if (direction > 0) return this.#options.steps.within(own.to);
    if (this.#current > own.from) return own.from;
    const before = this.#options.steps.within(own.from - 1);
    await this.show(before);
    return this.#unitAt(before)?.from ?? before;
  }

  #unitAt(n: number): Unit | undefined {
    return this.#rows.find(({ unit }) => unit && unit.from <= n && n < unit.to)?.unit;
  }

  #draw(kept?: { readonly index: number; readonly before: number }): void {
    this.#rows = rowsOf(this.#nodes, this.#current);
    const current = this.#rows.findIndex(
      ({ unit }) => unit && unit.from <= this.#current && this.#current < unit.to,
    );
    this.#list.show(
      {
        count: this.#rows.length,
        current: current < 0 ? undefined : current,
        markup: (index) => this.#rowMarkup(itemAt(this.#rows, index)),
      },
      kept,
    );
  }

  /** Reads more steps at an end of a list that is scrolled there, and drops some at the other end. */
  async #extend(end: "start" | "end"): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    try {
      // Folded steps may have few rows.
      while (await this.#readMore(end)) if (this.#rows.length >= fewRows || this.#isFull) break;
    } finally {
      this.#isLoading = false;
    }
  }

  get #isFull(): boolean {
    return this.#window.to - this.#window.from >= mostSteps;
  }

  /** Returns whether there were more steps, and the list was not moved meanwhile. */
  async #readMore(end: "start" | "end"): Promise<boolean> {
    const { steps } = this.#options;
    const { from, to } = this.#window;
    if (end === "start" ? from <= steps.first : to >= steps.end) return false;
    const mine = this.#latest;
    const wanted =
      end === "start"
        ? { from: Math.max(steps.first, from - addedSteps), to: Math.min(to, from - addedSteps + mostSteps) }
        : { from: Math.max(from, to + addedSteps - mostSteps), to: Math.min(steps.end, to + addedSteps) };
    const read = await steps.between(wanted.from, wanted.to);
    if (mine !== this.#latest) return false;
    const before = this.#list.top;
    const top = this.#rows[before]?.from ?? 0;
    this.#window = wanted;
    this.#nodes = foldSteps(read);
    const index = rowsOf(this.#nodes, this.#current).findIndex((row) => row.from >= top);
    this.#draw({ index: Math.max(0, index), before });
    return true;
  }

  #rowMarkup({ from, gas, depth, unit, loop }: Row): Markup {
    const indent = "\u00a0\u00a0".repeat(Math.min(depth, deepest));
    const number = html`<span class="debug-n">${count(from)}</span>`;
    const cost = html`<span class="debug-gas">${count(gas)}</span>`;
    if (loop)
      return html`${number}<span class="debug-text">${indent}<strong>× ${count(loop.rounds)}</strong> <span class="aside">round ${count(loop.shown + 1)}</span></span>${cost}`;
    const step = unit?.steps.find(({ error }) => error);
    return html`${number}<span class="debug-text${step && !step.error?.caught && " bad"}">${indent}${unit && this.#options.textOf(unit)}${printMarkup(unit)}${step?.error?.text !== undefined && html` ${claimed(step.error.text, 100)}`}</span>${cost}`;
  }
}

/** What the contract printed in a unit. */
function printMarkup(unit: Unit | undefined): Markup | false {
  const texts = unit?.steps.flatMap(({ print }) => print ?? []) ?? [];
  return texts.length > 0 && html` <q>${claimed(texts.join(" "), 100)}</q>`;
}
