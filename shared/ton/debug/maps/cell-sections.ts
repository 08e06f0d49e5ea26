import type { Cell } from "../../cells/cell.js";
import type { Slice } from "../../cells/slice.js";
import { decodeInstruction } from "../../tvm/code/instructions.js";
import type { Mark, SourcePlace } from "./marks.js";

/** Where an instruction is in the sources. */
export type Located = {
  readonly place: SourcePlace;
  readonly function: string | undefined;
  /** The place is that of a call, whose function is already open. */
  readonly isCall?: true;
};

/** What a map says of an instruction, and of what follows until the next section. */
export type Section = {
  readonly offset: number;
  readonly marks: readonly Mark[];
  readonly located: Located | undefined;
};

type Placed = { readonly offset: number; readonly marks: readonly Mark[] };
type State = { located: Located | undefined; readonly callers: (Located | undefined)[] };

const none: readonly Mark[] = [];

/** Finds the places of a cell's instructions. Marks at the end of a continuation's body are also at the instruction behind it, to which they do not belong. */
export class CellSections {
  readonly #placed: readonly Placed[];
  readonly #sections: Section[] = [];
  #next = 0;

  constructor(placed: readonly Placed[]) {
    this.#placed = placed;
  }

  /** The sections in order. Without the cell all marks count for what follows them. */
  read(cell: Cell | undefined, start: number): readonly Section[] {
    const state: State = { located: undefined, callers: [] };
    if (cell?.type === "ordinary" && start <= cell.bits) this.#readCode(cell.parse().skip(start), state);
    for (let placed = this.#placed[this.#next]; placed; placed = this.#placed[this.#next]) {
      this.#next++;
      apply(placed.marks, state);
      this.#sections.push({ ...placed, located: state.located });
    }
    return this.#withBeginning();
  }

  #readCode(code: Slice, state: State): void {
    const { cell } = code;
    while (code.remainingBits > 0) {
      const offset = code.bitOffset - cell.dataStart * 8;
      const marks = this.#marksUpTo(offset, state);
      this.#sections.push({ offset, marks, located: state.located });
      const instruction = decodeInstruction(code);
      if (!instruction) return;
      if (!instruction.body) continue;
      this.#readCode(instruction.body, { located: state.located, callers: [...state.callers] });
      const end = code.bitOffset - cell.dataStart * 8;
      while ((this.#placed[this.#next]?.offset ?? end + 1) <= end) this.#next++;
    }
  }

  /** Applies the marks up to an instruction, and gives those that are at it. */
  #marksUpTo(offset: number, state: State): readonly Mark[] {
    let last = none;
    for (
      let placed = this.#placed[this.#next];
      placed && placed.offset <= offset;
      placed = this.#placed[this.#next]
    ) {
      this.#next++;
      apply(placed.marks, state);
      last = placed.offset === offset ? placed.marks : none;
    }
    return last;
  }

  /** Instructions before the mark of a function's beginning belong to it: they arrange its arguments. */
  #withBeginning(): readonly Section[] {
    const first = this.#sections.find(({ marks }) => marks.length > 0);
    if (!first?.located || !first.marks.some(({ kind }) => kind === "enter")) return this.#sections;
    return this.#sections.map((section) =>
      section.offset < first.offset ? { ...section, located: first.located } : section,
    );
  }
}

function apply(marks: readonly Mark[], state: State): void {
  for (const mark of marks) {
    if (mark.kind === "place") state.located = mark;
    else if (mark.kind === "enter") {
      const { place } = mark;
      const inside = state.located?.function ?? mark.function;
      if (mark.isInlined && place) state.located = { place, function: inside, isCall: true };
      state.callers.push(state.located);
      if (!mark.isInlined && place) state.located = { place, function: mark.function };
    } else if (mark.kind === "leave") {
      const end = mark.place && { place: mark.place, function: mark.function };
      state.located = state.callers.pop() ?? end ?? state.located;
    }
  }
}
