import type { DebugStepRecord } from "../../../schema/v3/debug.js";
import type { DebugLocal, DebugRegisters, DebugValue } from "../../../schema/v3/debug-values.js";
import type { Local } from "../../debug/locals.js";
import type { RunCode } from "../../debug/run-code.js";
import type { RunFrames } from "../../debug/run-frames.js";
import { readLoggedValue, splitValues } from "../../tvm/logged-values.js";
import type { LoggedStep, MachineLog } from "../../tvm/machine-log.js";
import { splitText } from "./debug-run.js";
import { presentLocated, ShownValues } from "./debug-values.js";

type IncludedParts = {
  stack: boolean;
  fullStack: boolean;
  cells: boolean;
  source?: boolean;
  frames?: boolean;
};

/** What is known of the steps besides the machine's log. */
type StepSources = {
  /** The code, by which instructions have their names. */
  code?: RunCode;
  /** Functions and places in the sources. */
  frames?: RunFrames;
  /** Variables before a step. */
  locals?: (n: number) => readonly Local[];
  /** Registers that a step changed. */
  registers?: (n: number, values: ShownValues) => DebugRegisters | undefined;
};

/** Characters of a page, about; a longer one ends early. */
export const maxLength = 4 * 1024 * 1024;

/** The steps of a page, and the cells that their values name. */
export class StepPage {
  readonly steps: DebugStepRecord[] = [];
  readonly #log: MachineLog;
  readonly #parts: IncludedParts;
  readonly #sources: StepSources;
  readonly #actions: ReadonlyMap<number, number>;
  readonly #values: ShownValues;
  #length = 0;
  #frame = -1;

  constructor(log: MachineLog, parts: IncludedParts, sources: StepSources = {}) {
    this.#log = log;
    this.#parts = parts;
    this.#sources = sources;
    this.#actions = new Map(log.queued.map((step, index) => [step, index]));
    this.#values = new ShownValues(parts.cells);
  }

  get isFull(): boolean {
    return this.#length + this.#values.length >= maxLength;
  }

  get cells(): Record<string, string> {
    return this.#values.cells;
  }

  add(n: number): void {
    const { at, text, remark, ...step } = this.#log.at(n);
    const action = this.#actions.get(n);
    const record: DebugStepRecord = {
      ...step,
      ...presentInstruction({ at, text }, this.#sources.code),
      ...(remark !== undefined && { remark }),
      ...(action !== undefined && { action }),
      ...this.#place(n),
      ...this.#stacks(n),
      ...this.#variables(n),
    };
    this.#length += JSON.stringify(record).length;
    this.steps.push(record);
  }

  #place(n: number): Pick<DebugStepRecord, "source" | "function" | "frames"> {
    const { frames } = this.#sources;
    if (!frames) return {};
    const frame = frames.frameOf(n);
    const isSame = this.steps.length > 0 && this.#frame === frame;
    this.#frame = frame;
    return {
      ...(this.#parts.source && presentLocated(frames.located(n))),
      ...(this.#parts.frames && !isSame && { frames: frames.chain(n) }),
    };
  }

  #variables(n: number): { locals?: DebugLocal[]; registers?: DebugRegisters } {
    const { locals, registers } = this.#sources;
    const changed = registers?.(n, this.#values);
    return {
      ...(locals && { locals: locals(n).map((local) => this.#values.local(local)) }),
      ...(changed && { registers: changed }),
    };
  }

  #stacks(n: number): Pick<DebugStepRecord, "pops" | "pushes" | "stack"> {
    const before = this.#stackBefore(n);
    if (!before) return {};
    const { stack, fullStack } = this.#parts;
    const after = stack ? this.#stackAfter(n) : undefined;
    return { ...(after && this.#changes(before, after)), ...(fullStack && { stack: this.#present(before) }) };
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
    return { pops: this.#present(before.slice(same)), pushes: this.#present(after.slice(same)) };
  }

  #present(texts: readonly string[]): DebugValue[] {
    return texts.map((text) => this.#values.present(readLoggedValue(text)));
  }
}

/** The place and the name of an instruction: the name of the one at the place, else the machine's own. */
export function presentInstruction(
  { at, text }: { at: LoggedStep["at"]; text: string | undefined },
  code: RunCode | undefined,
): Pick<DebugStepRecord, "at" | "op" | "args" | "text"> {
  const place = at && { at: `${at.cell}:${at.offset}` };
  if (text === undefined) return { ...place };
  const known = at && code?.cells.at(at.cell, at.offset);
  const { op, args } = known ? { op: known.name, args: known.args } : splitText(text);
  return { ...place, op, ...(args !== "" && { args }), text };
}
