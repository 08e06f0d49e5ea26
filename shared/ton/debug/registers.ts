import { bytesEqual } from "../../values/bytes.js";
import { hasSucceeded } from "../../values/exit-codes/kinds.js";
import { Cell } from "../cells/cell.js";
import { appendAction } from "../tlb/out-action.js";
import { ifReadable } from "../tlb/readable.js";
import { readLoggedValue, splitValues } from "../tvm/logged-values.js";
import type { LoggedStep, MachineLog } from "../tvm/machine-log.js";
import { type C7, C7Walk, type ContractParameters } from "./c7-walk.js";
import { queuedAction } from "./queued-action.js";
import { thrownCode } from "./thrown-code.js";

/** A register after a step; undefined if that is not known. */
type Change<T> = { readonly n: number; readonly value: T | undefined };

type RegistersBefore = {
  readonly c4: Cell | undefined;
  /** The contract's parameters in c7; undefined if they are not known. */
  readonly parameters: ContractParameters | undefined;
};
/** What the chain has at the end: data of the account, and hash of the actions; absent if it has none of the run. */
type RegistersAfter = {
  readonly dataHash: Uint8Array | undefined;
  readonly actionsHash: Uint8Array | undefined;
};

/** The registers before a step; undefined if they are not known. */
export type Registers = {
  readonly c4: Cell | undefined;
  readonly c5: Cell | undefined;
  readonly c7: C7 | undefined;
};

/** Values of registers, by their numbers, as the log has them. */
type Saved = Map<number, string | undefined>;

const tryBits = 16;

/**
 * The registers of the machine, which its log with stacks does not have: they are derived from the instructions that change
 * them. Those of the storage and of the actions are compared with what the chain has at the end, and are unknown if they
 * differ.
 */
export class DerivedRegisters {
  readonly #c4: Change<Cell>[];
  readonly #c5: Change<Cell>[];
  readonly #c7: C7Walk;

  constructor(parts: { c4: Change<Cell>[]; c5: Change<Cell>[]; c7: C7Walk }) {
    this.#c4 = parts.c4;
    this.#c5 = parts.c5;
    this.#c7 = parts.c7;
  }

  /** Before a step. */
  before(n: number): Registers {
    return { c4: lastBefore(this.#c4, n), c5: lastBefore(this.#c5, n), c7: this.#c7.before(n) };
  }

  /** Steps that changed a register. */
  writesOf(register: "c4" | "c5" | "c7"): number[] {
    if (register === "c7") return this.#c7.writes;
    return (register === "c4" ? this.#c4 : this.#c5).map(({ n }) => n).filter((n) => n >= 0);
  }

  /** Steps that wrote a global variable. */
  writesOfGlobal(index: number): number[] {
    return this.#c7.writesOf(index);
  }

  /** What a step changed. */
  changedBy(n: number): Partial<Registers> {
    const c4 = this.#c4.find((change) => change.n === n);
    const c5 = this.#c5.find((change) => change.n === n);
    const c7 = this.#c7.changedBy(n);
    return { ...(c4 && { c4: c4.value }), ...(c5 && { c5: c5.value }), ...(c7 && { c7 }) };
  }
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
  readonly #c7: C7Walk;
  /** The registers that were committed: those of the chain. */
  #committed: { c4: Cell | undefined; c5: Cell | undefined } | undefined;
  /** What handlers of exceptions set, the innermost one last, and where the code continues behind each. */
  readonly #handlers: { readonly saved: Saved; readonly cell: string | undefined; readonly end: number }[] =
    [];
  /** What was stored in a continuation, which may become such a handler. */
  #saved: Saved = new Map();
  #n: number;

  constructor(log: MachineLog, { c4, parameters }: RegistersBefore) {
    this.#log = log;
    this.#n = log.first;
    this.#queued = new Set(log.queued);
    // What was before the known steps may have changed all of them.
    const isWhole = log.first === 0;
    this.#c4 = [{ n: -1, value: isWhole ? c4 : undefined }];
    this.#c5 = [{ n: -1, value: isWhole ? Cell.empty : undefined }];
    this.#c7 = new C7Walk(parameters);
    if (!isWhole) this.#c7.lose(-1);
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
      c7: this.#c7,
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
    else if (text.startsWith("SETCONTCTR c")) this.#saved.set(Number(text.at(-1)), this.#stack(n).at(-2));
    else if (text.startsWith("TRY")) {
      this.#handlers.push({ saved: this.#saved, cell: at?.cell, end: (at?.offset ?? 0) + tryBits });
      this.#saved = new Map();
    } else if (text.startsWith("POPSAVE c")) this.#set(n, Number(text.at(-1)), this.#stack(n).at(-1));
    this.#c7.apply(n, text, () => this.#stack(n));
  }

  #catch(n: number): void {
    for (const [register, value] of this.#handlers.pop()?.saved ?? []) this.#set(n, register, value);
  }

  #stack(n: number): string[] {
    return splitValues(this.#log.stackBefore(n) ?? "");
  }

  #set(n: number, register: number, text: string | undefined): void {
    if (text === undefined) return;
    if (register === 7) this.#c7.set(n, text);
    else if (register === 4 || register === 5) {
      const value = readLoggedValue(text);
      const cell = value.type === "cell" ? value.cell : undefined;
      (register === 4 ? this.#c4 : this.#c5).push({ n, value: cell });
    }
  }

  /** The list of actions with one more, as the instruction stores it. */
  #queue(n: number, text: string): Cell | undefined {
    const before = this.#c5.at(-1)?.value;
    const action = before && queuedAction(text, this.#stack(n));
    return action && ifReadable(() => appendAction(before, action));
  }
}
