import type { Action } from "../../../../client/api.js";
import { isReturn } from "../../../../shared/text/sentence.js";
import { addToGroup } from "../../../../shared/values/groups.js";

/** Actions of a list, without those that are part of another, and the parts by action. */
export type Folded = {
  readonly actions: readonly Action[];
  readonly parts: ReadonlyMap<Action, readonly Action[]>;
};

/**
 * Folds deployments into the action that made them, and returned messages into the one that failed. Each stays alone if
 * the list has no such action.
 */
export function foldActions(actions: readonly Action[]): Folded {
  const wholes = new Map<string, Action[]>();
  const isPart = (action: Action) => action.type === "contract_deploy" || isReturn(action);
  for (const action of actions) {
    if (isPart(action)) continue;
    for (const hash of action.transactions) addToGroup(wholes, hash, action);
  }
  const parts = new Map<Action, Action[]>();
  const shown = actions.filter((action) => {
    const whole = isPart(action) ? wholeOf(action, wholes) : undefined;
    if (!whole) return true;
    addToGroup(parts, whole, action);
    return false;
  });
  return { actions: shown, parts };
}

/** A deployment ends with the transaction that deployed; a returned message begins with the transaction that failed. */
function wholeOf(part: Action, wholes: ReadonlyMap<string, readonly Action[]>): Action | undefined {
  const isReturned = isReturn(part);
  const shared = part.transactions.at(isReturned ? 0 : -1);
  const found = shared === undefined ? [] : (wholes.get(shared) ?? []);
  return isReturned ? found.find(({ success }) => success === false) : found[0];
}
