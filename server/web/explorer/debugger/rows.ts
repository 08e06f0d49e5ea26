import type { DebugStep } from "../../../../client/api.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { lineText } from "./place.js";

/** Steps that are shown as one: a visit of a source line, or an instruction where the source is not known. */
export type Unit = {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
  /** Equal for equal places. */
  readonly key: number;
  readonly gas: number;
  readonly steps: readonly DebugStep[];
};

/** Rounds of the same units, which follow each other. */
type Loop = Omit<Unit, "steps"> & { readonly rounds: readonly (readonly Node[])[] };

export type Node = Unit | Loop;

/** A row of the list: a unit, or the head of a loop, of which one round follows. */
export type Row = {
  readonly from: number;
  readonly to: number;
  readonly gas: number;
  /** How many loops are around it. */
  readonly depth: number;
  readonly unit?: Unit;
  readonly loop?: { readonly rounds: number; readonly shown: number };
};

/** The place of a step in the source, or else in the code. */
export function placeOf({ source, at, op }: DebugStep): string {
  return source ? lineText(source) : (at ?? op ?? "");
}

/** Loops with fewer rounds are shown as they are, and so are those of more units in a round, or in as many others. */
const loops = { rounds: 3, units: 64, nested: 4 } as const;

/** Steps in order, by source line and with their loops folded: those in others first. */
export function foldSteps(steps: readonly DebugStep[]): readonly Node[] {
  const keys = new Keys();
  let nodes: readonly Node[] = unitsOf(steps, keys);
  for (let nested = 0; nested < loops.nested; nested++) {
    const { length } = nodes;
    for (let units = 1; units <= loops.units && units * loops.rounds <= nodes.length; units++)
      nodes = foldRounds(nodes, units, keys);
    if (nodes.length === length) break;
  }
  return nodes;
}

/** The rows of nodes; a loop shows the round with the current step, else its first one. */
export function rowsOf(nodes: readonly Node[], current: number, depth = 0): Row[] {
  return nodes.flatMap((node) => {
    const { from, to, gas } = node;
    if ("steps" in node) return [{ from, to, gas, depth, unit: node }];
    const { rounds } = node;
    const found = rounds.findIndex((round) => current < itemAt(round, round.length - 1).to);
    const shown = current < from || found < 0 ? 0 : found;
    const head: Row = { from, to, gas, depth, loop: { rounds: rounds.length, shown } };
    return [head, ...rowsOf(itemAt(rounds, shown), current, depth + 1)];
  });
}

/** Numbers for texts, as numbers are compared faster. */
class Keys {
  readonly #known = new Map<string, number>();

  of(text: string): number {
    const known = this.#known.get(text) ?? this.#known.size;
    this.#known.set(text, known);
    return known;
  }
}

function unitsOf(steps: readonly DebugStep[], keys: Keys): Unit[] {
  const units: Unit[] = [];
  let begin = 0;
  const end = (index: number) => {
    const own = steps.slice(begin, index);
    const [first] = own;
    if (!first) return;
    units.push({
      from: first.n,
      to: first.n + own.length,
      key: keys.of(placeOf(first)),
      gas: gasOf(own),
      steps: own,
    });
    begin = index;
  };
  for (let index = 1; index < steps.length; index++) {
    const [before, step] = [itemAt(steps, index - 1), itemAt(steps, index)];
    if (!step.source || placeOf(step) !== placeOf(before)) end(index);
  }
  end(steps.length);
  return units;
}

function foldRounds(nodes: readonly Node[], units: number, keys: Keys): Node[] {
  const folded: Node[] = [];
  for (let index = 0; index < nodes.length; ) {
    const rounds = roundsAt(nodes, index, units);
    if (rounds < loops.rounds) {
      folded.push(itemAt(nodes, index++));
      continue;
    }
    const own = Array.from({ length: rounds }, (_, round) =>
      nodes.slice(index + round * units, index + (round + 1) * units),
    );
    folded.push(loopOf(own, keys));
    index += rounds * units;
  }
  return folded;
}

/** How often the same nodes follow each other. */
function roundsAt(nodes: readonly Node[], from: number, units: number): number {
  let same = 0;
  while (nodes[from + same + units] && nodes[from + same]!.key === nodes[from + same + units]!.key) same++;
  return 1 + Math.floor(same / units);
}

/** Loops with equal rounds are equal, however many they have. */
function loopOf(rounds: readonly (readonly Node[])[], keys: Keys): Loop {
  const [first, last] = [itemAt(rounds, 0), itemAt(rounds, rounds.length - 1)];
  return {
    from: itemAt(first, 0).from,
    to: itemAt(last, last.length - 1).to,
    key: keys.of(`loop ${first.map(({ key }) => key).join(" ")}`),
    gas: rounds.flat().reduce((sum, { gas }) => sum + gas, 0),
    rounds,
  };
}

function gasOf(steps: readonly DebugStep[]): number {
  return steps.reduce((sum, { gas = 0 }) => sum + gas, 0);
}
