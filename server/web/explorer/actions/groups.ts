import type { Action } from "../../../../client/api.js";

/** Fewer actions that are alike are shown one by one. */
const leastFolded = 4;

/** Successive actions of one trace that are alike, such as the payouts of a batch, together; others alone. */
export function groupAlike(actions: readonly Action[]): Action[][] {
  const all: Action[][] = [];
  let before: string | undefined;
  for (const action of actions) {
    const kind = kindOf(action);
    const last = all.at(-1);
    if (last && kind === before) last.push(action);
    else all.push([action]);
    before = kind;
  }
  return all.flatMap((group) => (group.length < leastFolded ? group.map((action) => [action]) : [group]));
}

/** Actions are alike if they have one type and outcome and come from one account. */
function kindOf({ trace_id: trace, type, success, finality, details }: Action): string {
  const members = details as Readonly<Record<string, unknown>>;
  const payer = members["source"] ?? members["sender"] ?? members["old_owner"] ?? members["owner"];
  return [trace, type, success, finality, typeof payer === "string" ? payer : ""].join("|");
}
