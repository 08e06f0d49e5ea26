import type { Action } from "../../../../client/api.js";
import { groupBy } from "../../../../shared/values/groups.js";
import { valueAt } from "../../../../shared/values/lookups.js";

/** Fewer actions that are alike are shown one by one. */
const leastFolded = 4;

/**
 * Actions of one trace that are alike, such as the payouts of a batch, together at the place of the first; others
 * alone.
 */
export function groupAlike(actions: readonly Action[]): Action[][] {
  const groups = groupBy(actions, kindOf);
  return actions.flatMap((action) => {
    const group = valueAt(groups, kindOf(action));
    if (group.length < leastFolded) return [[action]];
    return group[0] === action ? [group] : [];
  });
}

/** Actions are alike if they have one type and outcome, come from one account or gasless request, and move one token or call alike. */
function kindOf({ trace_id: trace, type, success, finality, details, ...action }: Action): string {
  const members = details as Readonly<Record<string, unknown>>;
  const payer = members["source"] ?? members["sender"] ?? members["old_owner"] ?? members["owner"];
  const same = [payer, members["asset"], members["opcode"]].map((each) => JSON.stringify(each));
  return [trace, type, success, finality, action.parent_gasless_action, ...same].join("|");
}
