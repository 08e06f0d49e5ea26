import { html, type Markup } from "../../pages/markup.js";
import type { Area } from "./place.js";
import { areas } from "./place.js";

const titles: Readonly<Record<Area, string>> = {
  steps: "Steps",
  code: "Code",
  stack: "Stack",
  locals: "Locals",
  storage: "Storage",
  actions: "Actions",
  message: "Message",
};

/** Buttons of the bar, with the keys that do the same. */
const buttons = [
  ["first", "⇤", "First step", "Home"],
  ["onBack", "«", "Back to a breakpoint", "C"],
  ["up", "↑", "Line before", "↑"],
  ["back", "←", "Step back", "←"],
  ["forth", "→", "Step", "→"],
  ["down", "↓", "Next line", "↓"],
  ["out", "↷", "Out of the function", "Shift →"],
  ["on", "»", "On to a breakpoint", "c"],
  ["last", "⇥", "Last step", "End"],
] as const;

/** The parts of the page below its head. */
export function panesMarkup(withFailure: boolean): Markup {
  return html`<div class="debug" data-area="stack">
<div class="debug-flame" data-part="flame"></div>
<div class="debug-bar" role="toolbar" aria-label="Steps">
${buttons.map(([command, sign, title, key]) => html`<button type="button" data-command="${command}" aria-label="${title}" title="${title} (${key})">${sign}</button>`)}
${withFailure && html`<button type="button" data-command="failure" title="f">Failure</button>`}
<button type="button" data-command="breakpoint" title="Breakpoint here (b)">Breakpoint</button>
<button type="button" data-command="find" title="/">Find</button>
<button type="button" class="quiet" data-command="help" aria-label="Keys" title="Keys (?)">?</button>
</div>
<p class="debug-now" role="status"></p>
<nav class="segments debug-tabs" aria-label="Areas">${areas.map((area) => html`<button type="button" data-tab="${area}" aria-pressed="false">${titles[area]}</button>`)}</nav>
<div class="debug-steps"></div>
<div class="debug-code"></div>
<section class="debug-tab" aria-labelledby="debug-tab-title"><h2 class="off-screen" id="debug-tab-title">At this step</h2><div data-part="tab"></div></section>
</div>`;
}
