import type { DebugLocal, DebugState } from "../../../../client/api.js";
import { type Content, html, type Markup } from "../../pages/markup.js";
import { count } from "../parts/amount.js";
import { record } from "../parts/record.js";
import { claimed } from "../parts/text.js";
import { type Cells, valueMarkup } from "./value-markup.js";

const changed = html` <span class="pill">changed</span>`;

/** Variables of the functions that are open, the innermost one first. */
export function localsMarkup({ frames, cells }: DebugState, before: DebugState | undefined): Markup {
  const known = frames.filter(({ locals }) => locals.length > 0);
  if (known.length === 0)
    return html`<p class="empty">${frames.length === 0 ? "Variables need a source map of this code." : "No variable is known here."}</p>`;
  return html`${known.map((frame) => {
    const place = frames.length - frames.indexOf(frame);
    const earlier = before?.frames.at(-place)?.locals ?? [];
    return html`<h3>${claimed(frame.function, 80)}</h3><dl class="debug-values">${frame.locals.map((local) => localMarkup(local, earlier, cells))}</dl>`;
  })}`;
}

function localMarkup(local: DebugLocal, earlier: readonly DebugLocal[], cells: Cells): Markup {
  const { name, type, values, typed, seen } = local;
  const was = earlier.find((each) => each.name === name);
  const isChanged = JSON.stringify(was?.values) !== JSON.stringify(values);
  const raw = values.map((value) =>
    value ? valueMarkup(value, cells) : html`<span class="aside">left out</span>`,
  );
  return html`<div><dt>${claimed(name, 60)}${type !== undefined && html` <span class="type">${claimed(type, 60)}</span>`}${isChanged && changed}</dt><dd>${
    typed === undefined
      ? raw
      : html`${typedMarkup(typed)}<details class="fold"><summary>raw</summary>${raw}</details>`
  }${seen !== undefined && html` <span class="aside">last seen at step ${count(seen)}</span>`}</dd></div>`;
}

/** A value by its type, as JSON has it. */
function typedMarkup(value: unknown): Content {
  if (typeof value === "object" && value !== null) return record(value);
  return html`<code>${claimed(String(value), 300)}</code>`;
}

/** The data of the contract, as they are before a step. */
export function dataMarkup({ registers, cells }: DebugState, before: DebugState | undefined): Markup {
  const { c4 } = registers;
  if (!c4)
    return html`<p class="hint">The data at this step are not known: the instructions do not lead to those of the chain.</p>`;
  const isChanged =
    before?.registers.c4?.cell.hash !== undefined && before.registers.c4.cell.hash !== c4.cell.hash;
  return html`<h3>At this step${isChanged && changed}</h3>
${c4.storage !== undefined && record(c4.storage)}
<p>${valueMarkup(c4.cell, cells)}</p>`;
}

/** What the contract can ask the machine for before a step. */
export function parametersMarkup({ registers, cells }: DebugState): Markup {
  const { parameters } = registers;
  if (!parameters)
    return html`<p class="hint">The contract's parameters (c7) at this step are not known.</p>`;
  return html`<details class="fold"><summary>The contract's parameters (c7)</summary><dl class="debug-values">${parameters.map(
    ({ index, name, value }) =>
      html`<div><dt>${name ?? count(index)}</dt><dd>${value ? valueMarkup(value, cells) : html`<span class="aside">not known</span>`}</dd></div>`,
  )}</dl></details>`;
}
