import type { Address } from "../../shared/values/address.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import type { StackValue } from "../chain/executor/stack.js";
import type { MethodOutcome } from "../chain/run/method-runner.js";
import { TlbError } from "../tlb/codec.js";

/** Get-methods of all accounts as they stood at one moment. */
export interface GetMethods {
  run(account: Address, method: string, stack?: readonly StackValue[]): Promise<MethodOutcome>;
}

/** What a contract answered is not what contracts of that kind answer. */
export class UnexpectedAnswer extends Error {
  override readonly name = "UnexpectedAnswer";
}

/** The values of an answer, the first one first; throws UnexpectedAnswer when one is not there or of another type. */
export class Answer {
  readonly #stack: readonly StackValue[];

  private constructor(stack: readonly StackValue[]) {
    this.#stack = stack;
  }

  /** The answer of a method that must succeed. */
  static async of(
    methods: GetMethods,
    account: Address,
    method: string,
    stack: readonly StackValue[] = [],
  ): Promise<Answer> {
    const outcome = await methods.run(account, method, stack);
    if (outcome.exitCode === 0) return new Answer(outcome.stack);
    throw new UnexpectedAnswer(`${method} of ${account} ends with exit code ${outcome.exitCode}`);
  }

  get size(): number {
    return this.#stack.length;
  }

  int(index: number): bigint {
    const value = this.#stack[index];
    return value?.type === "int" ? value.value : unexpected(index, "an integer");
  }

  flag(index: number): boolean {
    return this.int(index) !== 0n;
  }

  cell(index: number): Cell {
    const value = this.#stack[index];
    return value?.type === "cell" ? value.cell : unexpected(index, "a cell");
  }

  /** A cell, or the cell a slice makes. */
  content(index: number): Cell {
    const value = this.#stack[index];
    return value?.type === "cell" || value?.type === "slice" ? value.cell : unexpected(index, "a slice");
  }

  /** `undefined` for addr_none; external, variable and anycast addresses are unexpected. */
  maybeAddress(index: number): Address | undefined {
    return this.content(index).parse().loadAddress();
  }

  address(index: number): Address {
    return this.maybeAddress(index) ?? unexpected(index, "an address");
  }
}

export function addressSlice(address: Address): StackValue {
  return { type: "slice", cell: beginCell().storeAddress(address).endCell() };
}

/** What a contract is read as, `undefined` if it turns out to be none of that kind. */
export async function ifSuch<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof UnexpectedAnswer || error instanceof CellError || error instanceof TlbError)
      return undefined;
    throw error;
  }
}

function unexpected(index: number, wanted: string): never {
  throw new UnexpectedAnswer(`value ${index} of an answer is not ${wanted}`);
}
