import { crossed, type GasTree, pathOf } from "./gas-tree.js";

/** A visit of a function: its steps, and the gas before and in it, with all that it called. */
type GasCall = {
  readonly name: string;
  /** How many functions are around it. */
  readonly depth: number;
  readonly from: number;
  /** Exclusive. */
  to: number;
  readonly before: number;
  gas: number;
};

/** The visits of functions in the order of steps; of more than `most`, those with most gas. `end`: the number behind the last step. */
export function gasCalls({ nodes, order }: GasTree, end: number, most: number): GasCall[] {
  const calls: GasCall[] = [];
  const open: GasCall[] = [];
  let path: readonly number[] = [];
  let at = 0;
  const goTo = (next: readonly number[], n: number) => {
    const { left, entered } = crossed(path, next);
    for (const call of open.splice(open.length - left.length)) {
      call.to = n;
      call.gas = at - call.before;
    }
    for (const node of entered) {
      const call = { name: nodes[node]!.name, depth: open.length, from: n, to: n, before: at, gas: 0 };
      calls.push(call);
      open.push(call);
    }
    path = next;
  };
  for (const { node, gas, from } of order) {
    // The root is the run.
    goTo(pathOf(nodes, node).slice(1), from);
    at += gas;
  }
  goTo([], end);
  if (calls.length <= most) return calls;
  const kept = new Set([...calls].sort((one, other) => other.gas - one.gas).slice(0, most));
  return calls.filter((call) => kept.has(call));
}
