import { groupBy } from "../../../../shared/values/groups.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { outcomeOf } from "../parts/outcome.js";
import type { Step } from "./steps.js";

/** Fewer equal steps are shown one by one. */
const leastFolded = 4;
const commentOpcode = "0x00000000";

type Folded = {
  /** Parents before children, as in the whole trace. */
  readonly steps: readonly Step[];
  /** Number of groups of equal steps, also of those that are open. */
  readonly groups: number;
};

/**
 * Combines equal siblings: messages of one operation and value with the same outcome, which were followed by
 * transactions of the same kinds. Groups that are open keep their steps.
 */
export function foldEqual(steps: readonly Step[], isOpen: (id: string) => boolean): Folded {
  const kinds = kindsOf(steps);
  const shown: Step[] = [];
  let groups = 0;
  // `origins` are the indices in the whole trace; folds have none, as what follows them is not shown.
  const queue: { step: Step; origin: number | undefined; parent: number | undefined }[] =
    steps.length > 0 ? [{ step: itemAt(steps, 0), origin: 0, parent: undefined }] : [];
  for (let at = 0; at < queue.length; at++) {
    const { step, origin, parent } = itemAt(queue, at);
    if (parent !== undefined) itemAt(shown, parent).children.push(at);
    shown.push({ ...step, parent, children: [] });
    if (origin === undefined) continue;
    for (const group of groupsOf(step.children, steps, kinds)) {
      const fold =
        group.length >= leastFolded ? foldOf(group.map((index) => itemAt(steps, index))) : undefined;
      if (fold) groups++;
      if (fold && !isOpen(fold.id)) queue.push({ step: fold, origin: undefined, parent: at });
      else for (const index of group) queue.push({ step: itemAt(steps, index), origin: index, parent: at });
    }
  }
  return { steps: shown, groups };
}

function foldOf(folded: readonly Step[]): Step {
  const first = itemAt(folded, 0);
  return { ...first, id: `fold ${first.id}`, kind: "fold", children: [], folded };
}

/** Equal siblings together, in the order of the first of each. */
function groupsOf(siblings: readonly number[], steps: readonly Step[], kinds: readonly number[]): number[][] {
  const groups = groupBy(siblings, (index) => {
    const { message, kind } = itemAt(steps, index);
    return kind === "more" ? `more ${index}` : `${itemAt(kinds, index)} ${message?.value ?? ""}`;
  });
  return [...groups.values()];
}

/** A number for each step; equal for steps with equal operations, outcomes and consequences. */
function kindsOf(steps: readonly Step[]): number[] {
  const numbers = new Map<string, number>();
  const kinds: number[] = [];
  // Backwards, so that a step comes after its children; without recursion, as traces can be deep.
  for (let index = steps.length - 1; index >= 0; index--) {
    const { kind, message, transaction, children } = itemAt(steps, index);
    const below = children.map((child) => itemAt(kinds, child)).sort((a, b) => a - b);
    const key = [
      kind,
      message && operationKey(message),
      message?.bounced === true && "bounced",
      transaction && outcomeOf(transaction).text,
      transaction?.finality,
      ...below,
    ].join("|");
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    kinds[index] = number;
  }
  return kinds;
}

/** Comments share an opcode, and plain transfers have none: equal ones have equal bodies. */
function operationKey({ opcode, message_content: body }: NonNullable<Step["message"]>): string | undefined {
  return opcode !== null && opcode !== commentOpcode ? opcode : body?.hash;
}

/** Whether each step failed or a failure follows from it. */
export function leadsToFailure(steps: readonly Step[]): readonly boolean[] {
  const leads = steps.map(
    ({ transaction }) => transaction !== undefined && outcomeOf(transaction).kind === "bad",
  );
  for (let index = steps.length - 1; index > 0; index--) {
    const { parent } = itemAt(steps, index);
    if (leads[index] && parent !== undefined) leads[parent] = true;
  }
  return leads;
}
