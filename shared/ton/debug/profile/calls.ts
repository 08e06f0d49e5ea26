import type { GasTree } from "./gas-tree.js";

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
  let open: { node: number; call: GasCall }[] = [];
  let at = 0;
  const goTo = (path: readonly number[], n: number) => {
    let same = 0;
    while (same < open.length && same < path.length && open[same]!.node === path[same]) same++;
    for (const { call } of open.slice(same)) {
      call.to = n;
      call.gas = at - call.before;
    }
    open = open.slice(0, same);
    for (const node of path.slice(same)) {
      const call = { name: nodes[node]!.name, depth: open.length, from: n, to: n, before: at, gas: 0 };
      calls.push(call);
      open.push({ node, call });
    }
  };
  for (const { node, gas, from } of order) {
    goTo(callsOf(nodes, node), from);
    at += gas;
  }
  goTo([], end);
  if (calls.length <= most) return calls;
  const kept = new Set([...calls].sort((one, other) => other.gas - one.gas).slice(0, most));
  return calls.filter((call) => kept.has(call));
}

/** Nodes from the outermost function to one; the root is the run. */
function callsOf(nodes: GasTree["nodes"], node: number): number[] {
  const path: number[] = [];
  for (let at = node; nodes[at]!.parent >= 0; at = nodes[at]!.parent) path.push(at);
  return path.reverse();
}
