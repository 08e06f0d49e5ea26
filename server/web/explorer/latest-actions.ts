import type { Action, ActionList } from "../../../client/api.js";
import { isRpcError } from "../../../client/errors.js";
import { groupBy } from "../../../shared/values/groups.js";
import { html, type Markup } from "../pages/markup.js";
import { actionRows } from "./actions/action-rows.js";
import { AnswerNames } from "./actions/answer-names.js";
import type { Call, ViewContext } from "./view.js";

/** Actions that are read: a batch of payouts is one line, and so is an action with its deployment. */
const shownActions = 20;

/** The newest actions of all accounts; `undefined` without an index, or while it cannot answer. */
export async function readLatestActions(call: Call): Promise<ActionList | undefined> {
  try {
    return await call("v3.actions", { limit: shownActions, include_text: true, include_abi: true });
  } catch (error) {
    if (isRpcError(error, "unavailable")) return undefined;
    throw error;
  }
}

/** Actions in words. */
export function latestActions(list: ActionList | undefined, { names }: Pick<ViewContext, "names">): Markup {
  if (!list) return html`<p class="empty">Actions need the index of this service.</p>`;
  if (list.actions.length === 0) return html`<p class="empty">Nothing has happened yet.</p>`;
  return actionRows(byTrace(list.actions), { names: new AnswerNames(list, names) });
}

/** Actions of a trace stay together. */
function byTrace(actions: readonly Action[]): Action[] {
  const traces = groupBy(actions, ({ trace_id, action_id }) => trace_id ?? action_id);
  return [...traces.values()].flat();
}
