import { Budget } from "../bodies/budget.js";
import type { Builder } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import type { Slice } from "../cells/slice.js";
import { AbiError } from "./abi-error.js";

/** Nesting of types within a value: tables can be cyclic. */
const maxDepth = 128;
/** Limit on the wire text of values that are not in one cell: results and arguments of get-methods, values as JSON. */
const looseCharacters = 1 << 20;
/** Time for the values of a body, and of what callers ask for one by one: a storage, a result, arguments. */
const maxMs = { body: 20, other: 100 } as const;

/**
 * Form of values as JSON: the one in which callers also give them, or that of TON Center's `/acton` methods, where maps
 * are lists of entries, variants of unions are in `value` beside `$`, enums are numbers, and bits state their length. For a
 * program the first one has integers as they are, in place of texts.
 */
export type JsonForm = "own" | "ton-center" | "program";

/** The types of a program are its own. */
function msFor(kind: keyof typeof maxMs, form: JsonForm): number {
  return form === "program" ? Number.POSITIVE_INFINITY : maxMs[kind];
}

/** Bounds one reading or writing of a value, and knows which part it has reached. */
export class Work {
  readonly #budget: Budget;
  readonly form: JsonForm;
  readonly #path: string[] = [];
  /** The slice or builder whose rest is a raw value: fields after it are part of it. */
  taken: Slice | Builder | undefined;

  private constructor(budget: Budget, form: JsonForm) {
    this.#budget = budget;
    this.form = form;
  }

  /** On a body or storage, whose size sets the limit. */
  static onCell(cell: Cell, form: JsonForm = "own", kind: keyof typeof maxMs = "body"): Work {
    return new Work(new Budget(cell, undefined, msFor(kind, form)), form);
  }

  static onValues(form: JsonForm = "own"): Work {
    return new Work(new Budget(undefined, looseCharacters, msFor("other", form)), form);
  }

  /** For one of several ways to read the same cell. */
  again(): Work {
    return new Work(this.#budget, this.form);
  }

  /** Throws BodyTooLarge if the budget is exceeded. */
  spend(characters: number): void {
    this.#budget.spend(characters);
  }

  /** Whether attempts have used up its limits. */
  get isExhausted(): boolean {
    return this.#budget.isExhausted;
  }

  attempt<T>(read: () => T): T {
    return this.#budget.attempt(read);
  }

  shownInteger(value: bigint): bigint | string {
    return this.form === "program" ? value : value.toString();
  }

  /** Works on a part of the value. After a failure the path still names the part. */
  part<T>(name: string, work: () => T): T {
    if (this.#path.length >= maxDepth) throw new AbiError(`${this.place}: types nest too deeply`);
    this.#budget.spendValue();
    this.#path.push(name);
    const result = work();
    this.#path.pop();
    return result;
  }

  /** The part, for messages: `order.amount`. */
  get place(): string {
    const path = this.#path.filter((name) => name !== "").slice(0, 16);
    return path.join(".") || "the value";
  }

  refuse(reason: string): never {
    throw new AbiError(`${this.place}: ${reason}`);
  }
}
