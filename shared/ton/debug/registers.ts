import { bytesEqual } from "../../values/bytes.js";
import { hasSucceeded } from "../../values/exit-codes/kinds.js";
import { type Builder, beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { type LoggedValue, readLoggedValue, splitValues } from "../tvm/logged-values.js";
import type { LoggedStep, MachineLog } from "../tvm/machine-log.js";
import { thrownCode } from "./thrown-code.js";

/** A register after a step; undefined if that is not known. */
type Change<T> = { readonly n: number; readonly value: T | undefined };
/** A global variable after a step, or all of them, from number 1; values are as the log has them. */
type GlobalChange =
  | { readonly n: number; readonly index: number; readonly value: string }
  | { readonly n: number; readonly all: readonly string[] };

type RegistersBefore = { readonly c4: Cell | undefined };
/** What the chain has at the end: data of the account, and hash of the actions; absent if it has none of the run. */
type RegistersAfter = {
  readonly dataHash: Uint8Array | undefined;
  readonly actionsHash: Uint8Array | undefined;
};

/** The registers before a step. `c7`: its global variables by their number, from 1. */
export type Registers = {
  readonly c4: Cell | undefined;
  readonly c5: Cell | undefined;
  readonly c7: ReadonlyMap<number, LoggedValue> | undefined;
};

/** Values of registers, by their numbers, as the log has them. */
type Saved = Map<number, string | undefined>;

const maxGlobal = 255;
/** Instructions by which a return sets the global variables, at a time that is not followed here. */
const savesGlobals =
  /^(?:(?:SAVECTR|SAVEALTCTR|SAVEBOTHCTR|SETRETCTR|SETALTCTR|POPSAVE) c7|SETCONTCTRX|SETCONTCTRMANY)/;
const tryBits = 16;

/**
 * The registers of the machine, which its log with stacks does not have: they are derived from the instructions that change
 * them. Those of the storage and of the actions are compared with what the chain has at the end, and are unknown if they
 * differ.
 */
export class DerivedRegisters {
  readonly #c4: Change<Cell>[];
  readonly #c5: Change<Cell>[];
  readonly #globals: readonly GlobalChange[];
  readonly #c7Lost: number | undefined;

  constructor(parts: {
    c4: Change<Cell>[];
    c5: Change<Cell>[];
    globals: readonly GlobalChange[];
    c7Lost: number | undefined;
  }) {
    this.#c4 = parts.c4;
    this.#c5 = parts.c5;
    this.#globals = parts.globals;
    this.#c7Lost = parts.c7Lost;
  }

  /** Before a step. */
  before(n: number): Registers {
    const lost = this.#c7Lost !== undefined && this.#c7Lost < n;
    return {
      c4: lastBefore(this.#c4, n),
      c5: lastBefore(this.#c5, n),
      c7: lost ? undefined : this.#globalsBefore(n),
    };
  }

  /** Steps that changed the storage or a global variable. */
  writesOf(register: "c4" | "c5" | "c7"): number[] {
    if (register === "c7") return [...new Set(this.#globals.map(({ n }) => n))];
    return (register === "c4" ? this.#c4 : this.#c5).map(({ n }) => n).filter((n) => n >= 0);
  }

  /** Steps that wrote a global variable. */
  writesOfGlobal(index: number): number[] {
    return this.#globals
      .filter((change) => ("all" in change ? change.all.length >= index : change.index === index))
      .map(({ n }) => n);
  }

  /** What a step changed. */
  changedBy(n: number): Partial<Registers> {
    const c4 = this.#c4.find((change) => change.n === n);
    const c5 = this.#c5.find((change) => change.n === n);
    const globals = this.#globals.filter((change) => change.n === n);
    return {
      ...(c4 && { c4: c4.value }),
      ...(c5 && { c5: c5.value }),
      ...(globals.length > 0 && { c7: valuesAfter(globals) }),
    };
  }

  #globalsBefore(n: number): Map<number, LoggedValue> {
    return valuesAfter(this.#globals.filter((change) => change.n < n));
  }
}

function valuesAfter(changes: readonly GlobalChange[]): Map<number, LoggedValue> {
  const last = changes.findLastIndex((change) => "all" in change);
  const texts = new Map<number, string>();
  for (const change of changes.slice(Math.max(0, last))) {
    if ("all" in change) for (const [at, text] of change.all.entries()) texts.set(at + 1, text);
    else texts.set(change.index, change.value);
  }
  return new Map([...texts].map(([index, text]) => [index, readLoggedValue(text)]));
}

function lastBefore<T>(changes: readonly Change<T>[], n: number): T | undefined {
  return changes.findLast((change) => change.n < n)?.value;
}

/** Derives the registers of a run whose log has stacks, part by part. */
export class RegisterWalk {
  readonly #log: MachineLog;
  readonly #queued: ReadonlySet<number>;
  readonly #c4: Change<Cell>[];
  readonly #c5: Change<Cell>[];
  readonly #globals: GlobalChange[] = [];
  /** The registers that were committed: those of the chain. */
  #committed: { c4: Cell | undefined; c5: Cell | undefined } | undefined;
  #c7Lost: number | undefined;
  /** What handlers of exceptions set, the innermost one last, and where the code continues behind each. */
  readonly #handlers: { readonly saved: Saved; readonly cell: string | undefined; readonly end: number }[] =
    [];
  /** What was stored in a continuation, which may become such a handler. */
  #saved: Saved = new Map();
  #n: number;

  constructor(log: MachineLog, { c4 }: RegistersBefore) {
    this.#log = log;
    this.#n = log.first;
    this.#queued = new Set(log.queued);
    // What was before the known steps may have changed all of them.
    const isWhole = log.first === 0;
    this.#c4 = [{ n: -1, value: isWhole ? c4 : undefined }];
    this.#c5 = [{ n: -1, value: isWhole ? beginCell().endCell() : undefined }];
    if (!isWhole) this.#c7Lost = -1;
  }

  /** Walks so many steps. Returns whether there are more. */
  read(steps: number): boolean {
    const { end } = this.#log;
    for (const until = Math.min(end, this.#n + steps); this.#n < until; this.#n++)
      this.#apply(this.#log.at(this.#n));
    return this.#n < end;
  }

  /** Call after everything was read. */
  finish(after: RegistersAfter): DerivedRegisters {
    const last = !this.#hasFailed()
      ? { c4: this.#c4.at(-1)?.value, c5: this.#c5.at(-1)?.value }
      : this.#committed;
    const isEqual = (cell: Cell | undefined, hash: Uint8Array | undefined) =>
      hash === undefined || !last || (cell !== undefined && bytesEqual(cell.hash(), hash));
    const none = [{ n: -1, value: undefined }];
    return new DerivedRegisters({
      c4: isEqual(last?.c4, after.dataHash) ? this.#c4 : none,
      c5: isEqual(last?.c5, after.actionsHash) ? this.#c5 : none,
      globals: this.#globals,
      c7Lost: this.#c7Lost,
    });
  }

  /** Whether the run ended with an exception, which takes back all that was not committed. */
  #hasFailed(): boolean {
    const { end, first } = this.#log;
    const error = end > first ? this.#log.at(end - 1).error : undefined;
    return error !== undefined && !error.caught && !hasSucceeded(error.code);
  }

  #apply(step: LoggedStep): void {
    const { n, at, text, depth, error } = step;
    // An inner machine has registers of its own.
    if (depth > 0) return;
    if (error || text?.startsWith("THROW")) {
      const isCaught = thrownCode(step, this.#stack(n)) !== undefined && error?.caught !== false;
      if (isCaught) this.#catch(n);
      return;
    }
    if (text === undefined) return;
    const handler = this.#handlers.at(-1);
    if (handler && at?.cell === handler.cell && at && at.offset >= handler.end) this.#handlers.pop();
    if (this.#queued.has(n)) this.#c5.push({ n, value: this.#queue(n, text) });
    else if (text === "COMMIT") this.#committed = { c4: this.#c4.at(-1)?.value, c5: this.#c5.at(-1)?.value };
    else if (text.startsWith("POP c")) this.#set(n, Number(text.at(-1)), this.#stack(n).at(-1));
    else if (text === "POPCTRX") this.#set(n, Number(this.#stack(n).at(-1)), this.#stack(n).at(-2));
    else if (text.startsWith("SETGLOB")) this.#setGlobal(n, text);
    else if (text.startsWith("SETCONTCTR c")) this.#saved.set(Number(text.at(-1)), this.#stack(n).at(-2));
    else if (text.startsWith("TRY")) {
      this.#handlers.push({ saved: this.#saved, cell: at?.cell, end: (at?.offset ?? 0) + tryBits });
      this.#saved = new Map();
    } else if (text.startsWith("POPSAVE c")) this.#set(n, Number(text.at(-1)), this.#stack(n).at(-1));
    if (savesGlobals.test(text)) this.#c7Lost ??= n;
  }

  #catch(n: number): void {
    for (const [register, value] of this.#handlers.pop()?.saved ?? []) this.#set(n, register, value);
  }

  #stack(n: number): string[] {
    return splitValues(this.#log.stackBefore(n) ?? "");
  }

  #set(n: number, register: number, text: string | undefined): void {
    if (text === undefined) return;
    if (register === 7) {
      if (!text.startsWith("[")) this.#c7Lost ??= n;
      else this.#globals.push({ n, all: splitValues(text.slice(1, -1)).slice(1) });
    } else if (register === 4 || register === 5) {
      const value = readLoggedValue(text);
      const cell = value.type === "cell" ? value.cell : undefined;
      (register === 4 ? this.#c4 : this.#c5).push({ n, value: cell });
    }
  }

  #setGlobal(n: number, text: string): void {
    const stack = this.#stack(n);
    const isNumbered = text === "SETGLOBVAR";
    const index = Number(isNumbered ? stack.at(-1) : text.slice("SETGLOB ".length));
    const value = stack.at(isNumbered ? -2 : -1);
    if (value !== undefined && index > 0 && index <= maxGlobal) this.#globals.push({ n, index, value });
  }

  /** The list of actions with one more, as the instruction stores it. */
  #queue(n: number, text: string): Cell | undefined {
    const before = this.#c5.at(-1)?.value;
    if (!before) return undefined;
    try {
      return storeAction(text, beginCell().storeRef(before), new TopValues(this.#stack(n)))?.endCell();
    } catch (error) {
      if (error instanceof CellError) return undefined;
      throw error;
    }
  }
}

/** Values of a stack by their place from the top, 0. */
class TopValues {
  readonly #texts: readonly string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  integer(at: number): bigint {
    const value = this.#value(at);
    if (value?.type !== "int" || value.value === "NaN")
      throw new CellError("invalid", "the value is no integer");
    return BigInt(value.value);
  }

  cell(at: number): Cell {
    const found = this.maybeCell(at);
    if (!found) throw new CellError("invalid", "the value is no cell");
    return found;
  }

  maybeCell(at: number): Cell | undefined {
    const value = this.#value(at);
    return value?.type === "cell" ? value.cell : undefined;
  }

  #value(at: number): LoggedValue | undefined {
    const text = this.#texts.at(-1 - at);
    return text === undefined ? undefined : readLoggedValue(text);
  }
}

const tags = {
  send: 0x0ec3c86d,
  reserve: 0x36e6b809,
  setCode: 0xad4de08e,
  changeLibrary: 0x26fa1dd4,
} as const;

function storeAction(text: string, list: Builder, top: TopValues): Builder | undefined {
  const byte = (value: bigint) => Number(value & 0xffn);
  switch (text) {
    case "SENDRAWMSG":
    case "SENDMSG":
      return list
        .storeUint(tags.send, 32)
        .storeUint(byte(top.integer(0)), 8)
        .storeRef(top.cell(1));
    case "RAWRESERVE":
      return list
        .storeUint(tags.reserve, 32)
        .storeUint(byte(top.integer(0)), 8)
        .storeCoins(top.integer(1))
        .storeBit(false);
    case "RAWRESERVEX":
      return list
        .storeUint(tags.reserve, 32)
        .storeUint(byte(top.integer(0)), 8)
        .storeCoins(top.integer(2))
        .storeMaybeRef(top.maybeCell(1));
    case "SETCODE":
      return list.storeUint(tags.setCode, 32).storeRef(top.cell(0));
    case "SETLIBCODE":
      return list
        .storeUint(tags.changeLibrary, 32)
        .storeUint(byte(top.integer(0) * 2n + 1n), 8)
        .storeRef(top.cell(1));
    case "CHANGELIB":
      return list
        .storeUint(tags.changeLibrary, 32)
        .storeUint(byte(top.integer(0) * 2n), 8)
        .storeUint(top.integer(1), 256);
    default:
      return undefined;
  }
}
