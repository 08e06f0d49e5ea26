import { Address } from "../../values/address.js";
import { NamedError } from "../../values/named-error.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import type { Slice } from "../cells/slice.js";
import type { MethodOutcome } from "../run/run-get-method.js";
import { TlbError } from "../tlb/codec.js";
import { accountOf, MsgAddress } from "../tlb/msg-address.js";
import type { StackValue } from "../tvm/stack.js";

/** Runs get-methods of accounts as of one block. */
export interface GetMethods {
  /**
   * Whether answers are read as TON Center's indexer reads them: exit code 1 is a success, the prefix of an anycast address
   * is applied, and a cell in place of a slice is another type. Its v2 refuses the first two and takes cells for slices.
   */
  readonly asIndexer?: boolean;
  run(account: Address, method: string, stack?: readonly StackValue[]): Promise<MethodOutcome>;
}

/** A contract returned values, or an exit code, that contracts of its kind do not return. */
export class UnexpectedAnswer extends NamedError {
  static override readonly name = "UnexpectedAnswer";
}

/** Result of a get-method, first value first. Its readers throw UnexpectedAnswer if a value is missing or of another type. */
export class Answer {
  readonly #stack: readonly StackValue[];
  readonly #asIndexer: boolean;

  private constructor(stack: readonly StackValue[], asIndexer: boolean) {
    this.#stack = stack;
    this.#asIndexer = asIndexer;
  }

  /** Runs a method; throws UnexpectedAnswer if it fails. */
  static async of(
    methods: GetMethods,
    account: Address,
    method: string,
    stack: readonly StackValue[] = [],
  ): Promise<Answer> {
    const { asIndexer = false } = methods;
    const outcome = await methods.run(account, method, stack);
    if (outcome.exitCode === 0 || (asIndexer && outcome.exitCode === 1))
      return new Answer(outcome.stack, asIndexer);
    throw new UnexpectedAnswer(`${method} of ${account} failed with exit code ${outcome.exitCode}`);
  }

  get size(): number {
    return this.#stack.length;
  }

  /** Whether the first values are of these types. */
  startsWith(types: readonly StackValue["type"][]): boolean {
    return types.every((type, index) => this.#stack[index]?.type === type);
  }

  int(index: number): bigint {
    const value = this.#stack[index];
    return value?.type === "int" ? value.value : unexpected(index, "an integer");
  }

  /** A time, a factor or another number that has 64 bits, signed. */
  number(index: number): bigint {
    const value = this.int(index);
    return BigInt.asIntN(64, value) === value ? value : unexpected(index, "a number of 64 bits");
  }

  flag(index: number): boolean {
    return this.int(index) !== 0n;
  }

  isNull(index: number): boolean {
    return this.#stack[index]?.type === "null";
  }

  cell(index: number): Cell {
    const value = this.#stack[index];
    return value?.type === "cell" ? value.cell : unexpected(index, "a cell");
  }

  /** A slice as a cell. */
  slice(index: number): Cell {
    const value = this.#stack[index];
    const isSlice = value?.type === "slice" || (value?.type === "cell" && !this.#asIndexer);
    return isSlice ? value.cell : unexpected(index, "a slice");
  }

  /**
   * `undefined` for null, which Tolk contracts return for a missing address, and for a slice with only addr_none. Only
   * addr_std is an address; trailing data are ignored.
   */
  maybeAddress(index: number): Address | undefined {
    return this.isNull(index) ? undefined : this.#addressOrNone(index);
  }

  address(index: number): Address {
    return this.#addressOrNone(index) ?? unexpected(index, "an address");
  }

  #addressOrNone(index: number): Address | undefined {
    const slice = this.slice(index).parse();
    const isNone = slice.preloadUint(2) === 0;
    if (isNone) return slice.remainingBits === 2 ? undefined : unexpected(index, "an address");
    const address = this.#asIndexer ? loadStandardAddress(slice) : MsgAddress.load(slice);
    return address instanceof Address ? address : unexpected(index, "an address");
  }
}

/**
 * `addr_std`, with the prefix of an anycast address applied; `undefined` for other forms. Trailing data stay in the
 * slice.
 */
export function loadStandardAddress(slice: Slice): Address | undefined {
  const address = MsgAddress.load(slice);
  if (address instanceof Address) return address;
  return address?.kind === "anycast" ? accountOf(address) : undefined;
}

/** An address as argument of a get-method. */
export function addressSlice(address: Address): StackValue {
  return { type: "slice", cell: beginCell().storeAddress(address).endCell() };
}

/** The result of reading a contract; `undefined` if it is not of the kind it was read as. */
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
  throw new UnexpectedAnswer(`value ${index} of the result is not ${wanted}`);
}
