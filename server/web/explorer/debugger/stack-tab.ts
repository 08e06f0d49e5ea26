import type { DebugStep, DebugValue } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { type Cells, valueMarkup } from "./value-markup.js";

/** The stack before a step, and what the step does to it. */
export type ShownStack = {
  /** Bottom first. */
  readonly values: readonly DebugValue[];
  /** Values at the top that the step before has left, that this one takes, and what it leaves. */
  readonly fresh: number;
  readonly taken: number;
  readonly left: readonly DebugValue[] | undefined;
  readonly cells: Cells;
};

const mostValues = 256;

/** The stack of a step, from it and the one before; `undefined` if the machine has not logged it. */
export function stackOf(steps: readonly DebugStep[], n: number, cells: Cells = {}): ShownStack | undefined {
  const step = steps.find((each) => each.n === n);
  if (!step?.stack) return undefined;
  const before = steps.find((each) => each.n === n - 1);
  return {
    values: step.stack,
    fresh: before?.pushes?.length ?? 0,
    taken: step.pops?.length ?? 0,
    left: step.pushes,
    cells,
  };
}

/** Top first, as instructions count: s0, s1 and so on. */
export function stackMarkup({ values, fresh, taken, left, cells }: ShownStack): Markup {
  const shown = values.toReversed().slice(0, mostValues);
  const more = values.length - shown.length;
  return html`${
    left !== undefined &&
    left.length + taken > 0 &&
    html`<p class="debug-effect">${taken > 0 ? `Takes ${taken}` : "Takes nothing"}${left.length > 0 ? ", leaves" : ", leaves nothing"}</p>
    ${left.length > 0 && html`<ol class="values debug-left">${left.toReversed().map((value) => html`<li>${valueMarkup(value, cells)}</li>`)}</ol>`}`
  }
<h3>Before the step</h3>
${values.length === 0 && html`<p class="empty">The stack is empty.</p>`}
<dl class="debug-values">${shown.map((value, index) => html`<div><dt>s${index}${index < fresh && html` <span class="pill">new</span>`}${index < taken && html` <span class="pill">taken</span>`}</dt><dd>${valueMarkup(value, cells)}</dd></div>`)}</dl>
${more > 0 && html`<p class="hint">${more} more below.</p>`}`;
}
