import { NamedError } from "../../values/named-error.js";
import type { Cell } from "../cells/cell.js";

/** A value on the TVM stack. A slice or builder is represented by a cell with exactly its content. */
export type StackValue =
  | { type: "null" | "nan" }
  | { type: "int"; value: bigint }
  | { type: "cell" | "slice" | "builder"; cell: Cell }
  | { type: "tuple"; items: StackValue[] }
  /** `vm_stk_cont#06 cont:VmCont`: not decoded, `cell` contains the VmCont. */
  | { type: "continuation"; cell: Cell };

/**
 * Limits of a stack as callers see it. Values inside tuples and lists count; a list (pairs that end in null) is one
 * level and only its items count.
 */
export const stackLimits = { values: 8000, depth: 1024 } as const;

/** Deepest tree of cells that a stack of such values is: each value is a level. */
export const stackCellDepth = 65_535;

/** A stack cannot be decoded ("malformed"), or exceeds `stackLimits` ("size", "depth"), or is nested too deep for an answer ("shown"). */
export class StackError extends NamedError {
  static override readonly name = "StackError";
  readonly code: "malformed" | "size" | "depth" | "shown";

  constructor(code: StackError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Counts values and depth of one stack, so that shared cells cannot multiply the work. */
export class StackBudget {
  #values = 0;

  spend(depth: number): void {
    if (++this.#values > stackLimits.values)
      throw new StackError("size", `a stack holds at most ${stackLimits.values} values`);
    this.enter(depth);
  }

  /** A level whose values are counted later. */
  enter(depth: number): void {
    if (depth > stackLimits.depth)
      throw new StackError("depth", `values on a stack are nested at most ${stackLimits.depth} deep`);
  }

  /** Pairs at this depth, each in the one before, that do not end in null: one level each. */
  spendOnPairs(count: number, depth: number): void {
    for (let pair = 0; pair < count; pair++) this.spend(depth + pair);
  }
}
