import type { DebugStepRecord, DebugValue } from "../../../shared/schema/v3/debug.js";
import { serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import { type LoggedValue, readLoggedValue, splitValues } from "../../../shared/ton/tvm/logged-values.js";
import type { MachineLog } from "../../../shared/ton/tvm/machine-log.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { splitText } from "./debug-run.js";

type IncludedParts = { stack: boolean; fullStack: boolean; cells: boolean };

/** Characters of a page, about; a longer one ends early. */
const maxLength = 4 * 1024 * 1024;

/** The steps of a page, and the cells that their values name. */
export class StepPage {
  readonly steps: DebugStepRecord[] = [];
  readonly #log: MachineLog;
  readonly #parts: IncludedParts;
  readonly #actions: ReadonlyMap<number, number>;
  readonly #cells = new Map<string, string>();
  #length = 0;

  constructor(log: MachineLog, parts: IncludedParts) {
    this.#log = log;
    this.#parts = parts;
    this.#actions = new Map(log.queued.map((step, index) => [step, index]));
  }

  get isFull(): boolean {
    return this.#length >= maxLength;
  }

  get cells(): Record<string, string> {
    return Object.fromEntries(this.#cells);
  }

  add(n: number): void {
    const { at, text, remark, ...step } = this.#log.at(n);
    const action = this.#actions.get(n);
    const record: DebugStepRecord = {
      ...step,
      ...(at && { at: `${at.cell}:${at.offset}` }),
      ...(text !== undefined && instructionOf(text)),
      ...(remark !== undefined && { remark }),
      ...(action !== undefined && { action }),
      ...this.#stacks(n),
    };
    this.#length += JSON.stringify(record).length;
    this.steps.push(record);
  }

  #stacks(n: number): Pick<DebugStepRecord, "pops" | "pushes" | "stack"> {
    const before = this.#stackBefore(n);
    if (!before) return {};
    const { stack, fullStack } = this.#parts;
    const after = stack ? this.#stackAfter(n) : undefined;
    return { ...(after && this.#changes(before, after)), ...(fullStack && { stack: this.#values(before) }) };
  }

  /** Errors have no stack of their own, and so has the end: then it is not known what a step left. */
  #stackAfter(n: number): readonly string[] | undefined {
    return n + 1 < this.#log.end ? this.#stackBefore(n + 1) : undefined;
  }

  #stackBefore(n: number): string[] | undefined {
    const text = this.#log.stackBefore(n);
    return text === undefined ? undefined : splitValues(text);
  }

  /** What is not the same at the bottom of both stacks. */
  #changes(before: readonly string[], after: readonly string[]) {
    let same = 0;
    while (same < before.length && same < after.length && before[same] === after[same]) same++;
    return { pops: this.#values(before.slice(same)), pushes: this.#values(after.slice(same)) };
  }

  #values(texts: readonly string[]): DebugValue[] {
    return texts.map((text) => this.#present(readLoggedValue(text)));
  }

  #present(value: LoggedValue): DebugValue {
    if ("items" in value) return { type: value.type, items: value.items.map((item) => this.#present(item)) };
    if (!("cell" in value)) return value;
    const { type, cell } = value;
    if (this.#parts.cells) this.#keep(cell);
    return { type, hash: bytesToBase64(cell.hash()), bits: cell.bits, refs: cell.refCount };
  }

  #keep(cell: Cell): void {
    const hash = cell.hashHex();
    if (this.#cells.has(hash)) return;
    const boc = bytesToBase64(serializeBoc(cell));
    this.#cells.set(hash, boc);
    this.#length += boc.length;
  }
}

function instructionOf(text: string): Pick<DebugStepRecord, "op" | "args" | "text"> {
  const { op, args } = splitText(text);
  return { op, ...(args !== "" && { args }), text };
}
