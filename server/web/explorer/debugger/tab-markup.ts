import type { DebugRun, DebugState, DebugStep } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import type { Names } from "../parts/names.js";
import type { Tab } from "./place.js";
import type { RunReader } from "./run-reader.js";
import { actionsMarkup, messageMarkup, storageMarkup } from "./run-tabs.js";
import { stackMarkup } from "./stack-tab.js";
import { dataMarkup, localsMarkup, parametersMarkup } from "./state-tabs.js";

type Shown = {
  readonly run: DebugRun;
  readonly reader: RunReader;
  readonly step: DebugStep;
  readonly names: Names;
};

/** The content of a tab at a step. */
export async function tabMarkup(tab: Tab, { run, reader, step, names }: Shown): Promise<Markup> {
  switch (tab) {
    case "stack": {
      const stack = await reader.stack(step.n);
      if (stack) return stackMarkup(stack);
      return html`<p class="empty">The machine has no stack at this step: ${step.error ? "it handles an error" : "its log has none"}.</p>`;
    }
    case "locals":
      return localsMarkup(await reader.state(step.n), await stateBefore(reader, step.n));
    case "storage": {
      const state = await reader.state(step.n);
      return html`${dataMarkup(state, await stateBefore(reader, step.n))}${parametersMarkup(state)}<h3>Of the whole run</h3>${storageMarkup(run)}`;
    }
    case "actions":
      return actionsMarkup(run, step.n, names);
    case "message":
      return messageMarkup(run, names);
  }
}

/** The state that changes are marked against. */
async function stateBefore(reader: RunReader, n: number): Promise<DebugState | undefined> {
  return n > reader.steps.first ? reader.state(n - 1) : undefined;
}
