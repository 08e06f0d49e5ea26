// The virtual machine's log of a run, as the node's sources write it (crypto/vm/vm.cpp), with the gas after each step:
//   code cell hash: <64 hex> offset: <bits>   before an instruction; after `implicit JMPREF`, whose target it is
//   execute <text>                            an instruction
//   gas remaining: <n>                        after it, unless the machine failed
//   changing gas limit to <n>                 ACCEPT, SETGASLIMIT
//   handling exception code <n>: <text>       an error of the machine, which counts as a step and costs 50 gas; at the place of
//                                             an unknown instruction, which counts as a step too
//   default exception handler, …              nothing caught the exception
//   unhandled out-of-gas exception: …         the end; counts as a step
//   Child VM finished. res: <r>, steps: <s>, gas: <g>
//   stack: [ … ]                              before an instruction, in logs with stacks
//   #DEBUG#: <text>                           what an instruction prints; that of STRDUMP may have several lines

import { lazy } from "../../values/lazy.js";

/** A step of the machine: an instruction, or an error of the machine itself. */
export type LoggedStep = {
  /** From 0. */
  n: number;
  /** The place in the code: hash of its cell in hex, and bits from the cell's beginning; absent for implicit instructions. */
  at?: { cell: string; offset: number };
  /** The instruction as the machine writes it; absent for an error, and for a code that is no instruction. */
  text?: string;
  /** Absent where the log does not tell: the gas of an instruction that failed is then a part of that of the next one. */
  gas?: number;
  /** Gas that is left after it. */
  left?: number;
  /** How many machines are inside of others: those that RUNVM starts. */
  depth: number;
  remark?: string;
  /** What it printed. */
  print?: string;
  error?: LoggedError;
};

type LoggedError = {
  code: number;
  /** The machine's words; absent if the contract has thrown it. */
  text?: string;
  /** Whether code of the contract handles it. */
  caught: boolean;
};

/** What is known of a run besides its log. */
export type LogFacts = {
  /** Steps of the whole run; 0 if unknown, as for precompiled contracts. */
  steps: number;
  /** Gas at the beginning: limit and credit. */
  gas: number;
  /** Gas that was used; absent if the steps' own gas is not counted. */
  gasUsed: number | undefined;
  /** Whether code ran without a log. */
  isLost?: boolean;
};

/** Steps that are kept of a run. */
const maxSteps = 200_000;
/** Characters of a step's remarks, after which there are no more. */
const maxRemark = 1000;
const errorGas = 50;
const unknown = -1;

const words = {
  place: "code cell hash: ",
  offset: " offset: ",
  limit: "changing gas limit to ",
  execute: "execute ",
  gas: "gas remaining: ",
  stack: "stack: [",
  error: "handling exception code ",
  uncaught: "default exception handler, terminating vm with exit code ",
  outOfGas: "unhandled out-of-gas exception: ",
  childEnd: "Child VM finished. res: ",
  finalActions: "final c5: ",
  print: "#DEBUG#: ",
} as const;
const installing = "installing an output action";
const childRun = /^RUNVM/;
const childGas = /gas: (\d+)$/;
const outOfGasCode = -14;
/** The instruction that prints bytes of a contract: at most 127, for a gas of 26. */
const stringPrinter = { text: "STRDUMP", maxBytes: 127, gas: 26 } as const;
/** Characters of a print that are kept, and of all prints of a run. */
const keptPrint = 4096;
const keptPrints = 1 << 20;

/** A text that does not keep the log of which it is a part. */
function copyOf(text: string): string {
  return text.split("").join("");
}

/** Texts by number, each kept once. */
class Texts {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [];

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const own = copyOf(text);
    this.#numbers.set(own, this.#texts.length);
    return this.#texts.push(own) - 1;
  }

  at(number: number): string | undefined {
    return this.#texts[number];
  }

  get length(): number {
    return this.#texts.reduce((sum, { length }) => sum + length, 0);
  }
}

/** Columns of the steps, in flat memory. */
class StepColumns {
  text = new Int32Array(1024);
  cell = new Int32Array(1024);
  offset = new Int32Array(1024);
  gas = new Int32Array(1024);
  left = new Float64Array(1024);
  depth = new Uint16Array(1024);
  remark = new Int32Array(1024);
  /** Where the stack before the step begins in the log, and where it ends. */
  stackFrom = new Int32Array(1024);
  stackTo = new Int32Array(1024);
  length = 0;

  push(): number {
    if (this.length === this.text.length) this.#grow();
    return this.length++;
  }

  #grow(): void {
    const size = this.length * 2;
    const larger = (column: Int32Array<ArrayBuffer>) => {
      const grown = new Int32Array(size);
      grown.set(column);
      return grown;
    };
    this.text = larger(this.text);
    this.cell = larger(this.cell);
    this.offset = larger(this.offset);
    this.gas = larger(this.gas);
    this.remark = larger(this.remark);
    this.stackFrom = larger(this.stackFrom);
    this.stackTo = larger(this.stackTo);
    const [left, depth] = [this.left, this.depth];
    this.left = new Float64Array(size);
    this.left.set(left);
    this.depth = new Uint16Array(size);
    this.depth.set(depth);
  }
}

/** A machine that runs: the outer one, or one that RUNVM has started. */
type Machine = {
  /** Gas after its last step; undefined before the first one of an inner machine, whose limit the log does not tell. */
  left: number | undefined;
  /** The gas that `left` is counted from. */
  base: number | undefined;
  /** Errors since the log told the gas. */
  errors: number;
  /** Its first step, and the gas of its later ones. */
  first: number;
  laterGas: number;
};

/** The steps of a run, oldest first. */
export class MachineLog {
  /** Steps before the first one, of which the log is lost. */
  readonly first: number;
  /** All steps of the run. */
  readonly total: number;
  /** Numbers of the steps that queued an action, in order. */
  readonly queued: readonly number[];
  readonly #columns: StepColumns;
  readonly #texts: Texts;
  readonly #errors: ReadonlyMap<number, LoggedError>;
  readonly #prints: ReadonlyMap<number, string>;
  readonly #skipped: number;
  readonly #log: string;
  readonly #isLost: boolean;

  constructor(parts: {
    columns: StepColumns;
    texts: Texts;
    errors: ReadonlyMap<number, LoggedError>;
    prints: ReadonlyMap<number, string>;
    queued: readonly number[];
    /** Incomplete steps at the beginning. */
    skipped: number;
    first: number;
    total: number;
    log: string;
    isLost: boolean;
  }) {
    this.first = parts.first;
    this.total = parts.total;
    this.#columns = parts.columns;
    this.#texts = parts.texts;
    this.#errors = parts.errors;
    this.#prints = parts.prints;
    this.#skipped = parts.skipped;
    this.#log = parts.log;
    this.#isLost = parts.isLost;
    this.queued = parts.queued
      .filter((index) => index >= parts.skipped)
      .map((index) => index - parts.skipped + parts.first);
  }

  /** The number after the last step that is known. */
  get end(): number {
    return this.first + this.#columns.length - this.#skipped;
  }

  /** Whether steps are missing, at the beginning or at the end. */
  get isCut(): boolean {
    return this.#isLost || this.first > 0 || this.end < this.total;
  }

  /** Bytes that it keeps, about. */
  get bytes(): number {
    return this.#columns.text.length * 42 + 2 * (this.#texts.length + this.#log.length);
  }

  /** What was printed, by the steps that did. */
  get prints(): { step: number; text: string }[] {
    return Array.from(this.#prints, ([index, text]) => ({
      step: index - this.#skipped + this.first,
      text,
    })).filter(({ step }) => step >= this.first);
  }

  /** Hashes in hex of the cells that were executed, in the order of their first steps. */
  get cells(): readonly string[] {
    return this.#cells();
  }

  /** Read once: every page of the steps asks for them, and a run may have 200,000 steps. */
  readonly #cells = lazy(() => {
    const numbers = new Set(this.#columns.cell.subarray(this.#skipped, this.#columns.length));
    numbers.delete(unknown);
    return Array.from(numbers, (number) => this.#text(number));
  });

  at(n: number): LoggedStep {
    const index = this.#indexOf(n);
    const { text, cell, offset, gas, left, depth, remark } = this.#columns;
    const step: LoggedStep = { n, depth: depth[index]! };
    if (cell[index] !== unknown) step.at = { cell: this.#text(cell[index]!), offset: offset[index]! };
    if (text[index] !== unknown) step.text = this.#text(text[index]!);
    if (gas[index] !== unknown) step.gas = gas[index]!;
    if (!Number.isNaN(left[index]!)) step.left = left[index]!;
    if (remark[index] !== unknown) step.remark = this.#text(remark[index]!);
    const print = this.#prints.get(index);
    if (print !== undefined) step.print = print;
    const error = this.#errors.get(index);
    if (error) step.error = error;
    return step;
  }

  /** The values on the stack before a step, as the log has them, bottom to top; undefined if it has none. */
  stackBefore(n: number): string | undefined {
    const index = this.#indexOf(n);
    const from = this.#columns.stackFrom[index]!;
    return from === unknown ? undefined : this.#log.slice(from, this.#columns.stackTo[index]!);
  }

  #indexOf(n: number): number {
    if (n < this.first || n >= this.end) throw new RangeError(`the log has no step ${n}`);
    return n - this.first + this.#skipped;
  }

  #text(number: number): string {
    return this.#texts.at(number) ?? "";
  }
}

/** Reads a log part by part, so that other work can be done between. A log that was cut gives the steps that are whole. */
export class MachineLogReader {
  readonly #log: string;
  readonly #facts: LogFacts;
  readonly #columns = new StepColumns();
  readonly #texts = new Texts();
  readonly #errors = new Map<number, LoggedError>();
  readonly #prints = new Map<number, string>();
  #printed = 0;
  readonly #queued: number[] = [];
  readonly #outer: Machine;
  /** The machines that run inside of each other, the outer one first. */
  readonly #machines: Machine[];
  #position = 0;
  /** Steps in the log, of which the first ones are kept. */
  #counted = 0;
  /** The step whose gas the log tells next, and whether that is an instruction that starts a machine. */
  #open: { index: number; startsMachine: boolean } | undefined;
  /** Whether the last instruction jumps, and the log may name its target. */
  #isJump = false;
  #place: { cell: number; offset: number } | undefined;
  #stack: { from: number; to: number } | undefined;
  #hasStacks = false;
  /** Whether the log tells the gas before its first step. */
  #toldGasBefore = false;
  /** The first step whose gas the log tells. */
  #firstTold: number | undefined;
  /** The first step that changed the limit. */
  #firstChange: number | undefined;

  constructor(log: string, facts: LogFacts) {
    this.#log = log;
    this.#facts = facts;
    this.#outer = { left: facts.gas, base: facts.gas, errors: 0, first: 0, laterGas: 0 };
    this.#machines = [this.#outer];
  }

  /** Reads about so many characters. Returns whether there are more. */
  read(characters: number): boolean {
    const until = this.#position + characters;
    while (this.#position < until) {
      const end = this.#lineEnd(this.#position);
      // A line without an end was cut.
      if (end < 0) return false;
      this.#readLine(this.#position, end);
      this.#position = end + 1;
    }
    return true;
  }

  #lineEnd(from: number): number {
    const end = this.#log.indexOf("\n", from);
    const left = this.#machine.left;
    if (!this.#log.startsWith(words.print, from) || !this.#isPrintingString || left === undefined) return end;
    // A contract may print lines like those of the log. The one after its text has the gas that is left then.
    const next = `\n${words.gas}${left - this.#machine.errors * errorGas - stringPrinter.gas}\n`;
    const last = this.#log.lastIndexOf(next, from + words.print.length + stringPrinter.maxBytes);
    return last < from ? end : last;
  }

  get #isPrintingString(): boolean {
    return (
      this.#open !== undefined && this.#texts.at(this.#columns.text[this.#open.index]!) === stringPrinter.text
    );
  }

  /** Call after everything was read. */
  finish(): MachineLog {
    const columns = this.#columns;
    const total = Math.max(this.#facts.steps, this.#counted);
    const lost = total - this.#counted;
    // The place of the first step may be in the part that was cut off.
    const skipped = lost > 0 && columns.length > 0 && columns.cell[0] === unknown ? 1 : 0;
    if (lost === 0) this.#tellLastGas();
    else if (columns.length > 0) {
      // Neither the gas before the first step nor the limit before its first change is known.
      if (!this.#toldGasBefore && this.#firstTold !== undefined) columns.gas[this.#firstTold] = unknown;
      if (this.#firstChange !== undefined) columns.gas[this.#firstChange] = unknown;
    }
    return new MachineLog({
      columns,
      texts: this.#texts,
      errors: this.#errors,
      prints: this.#prints,
      queued: this.#queued,
      skipped,
      first: lost + skipped,
      total,
      log: this.#hasStacks ? this.#log : "",
      isLost: this.#facts.isLost ?? false,
    });
  }

  /** Where the last instruction failed, its gas is what is left of the run's. */
  #tellLastGas(): void {
    const { left, base, errors } = this.#outer;
    const { gasUsed } = this.#facts;
    if (!this.#open || gasUsed === undefined || left === undefined || base === undefined) return;
    this.#columns.gas[this.#open.index] = Math.max(0, gasUsed - (base - left) - errors * errorGas);
  }

  #readLine(from: number, to: number): void {
    const log = this.#log;
    if (log.startsWith(words.place, from)) {
      // That of a jump names its target, which comes again with its first instruction.
      if (this.#isJump) {
        this.#isJump = false;
        return;
      }
      const middle = from + words.place.length;
      const between = log.indexOf(words.offset, middle);
      const cell = this.#texts.number(log.slice(middle, between).toLowerCase());
      this.#place = { cell, offset: Number(log.slice(between + words.offset.length, to)) };
    } else if (log.startsWith(words.execute, from)) this.#execute(log.slice(from + words.execute.length, to));
    else if (log.startsWith(words.gas, from)) this.#tellGas(Number(log.slice(from + words.gas.length, to)));
    else if (log.startsWith(words.stack, from)) {
      this.#stack = { from: from + words.stack.length, to: log.lastIndexOf("]", to) };
      this.#hasStacks = true;
    } else if (log.startsWith(words.limit, from))
      this.#change(Number(log.slice(from + words.limit.length, to)));
    else if (log.startsWith(words.print, from)) this.#print(log.slice(from + words.print.length, to));
    else if (to > from && !log.startsWith(words.finalActions, from)) this.#readOther(log.slice(from, to));
  }

  #readOther(line: string): void {
    if (line.startsWith(words.error)) {
      const text = line.slice(words.error.length);
      const colon = text.indexOf(": ");
      this.#fail({ code: Number(text.slice(0, colon)), text: text.slice(colon + 2), caught: true });
    } else if (line.startsWith(words.outOfGas))
      this.#fail({ code: outOfGasCode, text: line.slice(words.outOfGas.length), caught: false });
    else if (line.startsWith(words.childEnd)) this.#endMachine(Number(childGas.exec(line)?.[1] ?? 0));
    else if (line.startsWith(words.uncaught)) this.#noteUncaught(Number(line.slice(words.uncaught.length)));
    else this.#remark(line);
  }

  #print(text: string): void {
    if (!this.#open || this.#printed > keptPrints) return;
    const kept = copyOf(text.length > keptPrint ? `${text.slice(0, keptPrint)}…` : text.trimEnd());
    this.#printed += kept.length;
    this.#prints.set(this.#open.index, kept);
  }

  #execute(text: string): void {
    const place = this.#place;
    this.#place = undefined;
    this.#isJump = text.startsWith("implicit JMP");
    this.#openStep(this.#add(this.#texts.number(text), place), childRun.test(text));
  }

  #openStep(index: number | undefined, startsMachine: boolean): void {
    if (index !== undefined) this.#open = { index, startsMachine };
  }

  /** An error of the machine: a step of its own, after that of the instruction that failed. */
  #fail(error: LoggedError): void {
    // No instruction of the place is known: the machine names it, counts a step, and executes nothing.
    const place = this.#place;
    this.#place = undefined;
    if (place) this.#openStep(this.#add(unknown, place), false);
    this.#isJump = false;
    const open = this.#open;
    const index = this.#add(unknown, undefined);
    if (index === undefined) return;
    this.#errors.set(index, error);
    const isError = error.code !== outOfGasCode;
    this.#columns.gas[index] = isError ? errorGas : 0;
    if (isError) this.#machine.errors++;
    this.#open = open;
  }

  #noteUncaught(code: number): void {
    const index = this.#newest();
    if (index === undefined) return;
    const known = this.#errors.get(index);
    if (known) known.caught = false;
    else this.#errors.set(index, { code, caught: false });
  }

  /** The step that the log is about; undefined before the first one, and if it is not kept. */
  #newest(): number | undefined {
    const { length } = this.#columns;
    return length > 0 && length === this.#counted ? length - 1 : undefined;
  }

  /** Undefined once there are enough. */
  #add(text: number, place: { cell: number; offset: number } | undefined): number | undefined {
    this.#counted++;
    this.#open = undefined;
    const stack = this.#stack;
    this.#stack = undefined;
    const columns = this.#columns;
    if (columns.length >= maxSteps) return undefined;
    const index = columns.push();
    columns.text[index] = text;
    columns.cell[index] = place ? place.cell : unknown;
    columns.offset[index] = place ? place.offset : 0;
    columns.gas[index] = unknown;
    columns.left[index] = Number.NaN;
    columns.depth[index] = this.#machines.length - 1;
    columns.remark[index] = unknown;
    columns.stackFrom[index] = stack ? stack.from : unknown;
    columns.stackTo[index] = stack ? stack.to : unknown;
    if (this.#machine.first === unknown) this.#machine.first = index;
    return index;
  }

  get #machine(): Machine {
    return this.#machines.at(-1) ?? this.#outer;
  }

  #tellGas(left: number): void {
    const machine = this.#machine;
    const open = this.#open;
    this.#open = undefined;
    this.#isJump = false;
    if (this.#counted === 0) this.#toldGasBefore = true;
    if (open) {
      this.#firstTold ??= open.index;
      const { gas } = this.#columns;
      this.#columns.left[open.index] = left;
      const used = machine.left === undefined ? undefined : machine.left - left;
      if (used !== undefined) gas[open.index] = used - machine.errors * errorGas;
      if (used !== undefined && open.index !== machine.first) machine.laterGas += used;
    }
    machine.left = left;
    machine.errors = 0;
    if (open?.startsMachine)
      this.#machines.push({ left: undefined, base: undefined, errors: 0, first: unknown, laterGas: 0 });
  }

  #change(limit: number): void {
    const machine = this.#machine;
    this.#firstChange ??= this.#open?.index;
    if (machine.left !== undefined)
      machine.left = machine.base === undefined ? undefined : machine.left + limit - machine.base;
    machine.base = limit;
  }

  /** The gas of an inner machine is a part of the outer one's, and tells that of its first step. */
  #endMachine(gas: number): void {
    if (this.#machines.length === 1) return;
    const { first, laterGas, left } = this.#machine;
    this.#machines.pop();
    this.#open = undefined;
    if (first !== unknown && left !== undefined) this.#columns.gas[first] = Math.max(0, gas - laterGas);
    const outer = this.#machine;
    if (outer.left !== undefined) outer.left -= gas;
    outer.laterGas += gas;
  }

  #remark(line: string): void {
    const index = this.#newest();
    if (index === undefined) return;
    if (line === installing) this.#queued.push(index);
    const { remark } = this.#columns;
    const known = this.#texts.at(remark[index]!);
    if (known !== undefined && known.length > maxRemark) return;
    remark[index] = this.#texts.number(known === undefined ? line : `${known}; ${line}`);
  }
}

/** Reads a log at once. `gas`: that of the beginning. */
export function readWholeLog(log: string, gas: number): MachineLog {
  const reader = new MachineLogReader(log, { steps: 0, gas, gasUsed: undefined });
  while (reader.read(Number.POSITIVE_INFINITY));
  return reader.finish();
}
