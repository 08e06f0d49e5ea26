import type { Cell } from "../../cells/cell.js";
import type { Slice } from "../../cells/slice.js";
import type { CodeCells } from "./code-cells.js";
import { decodeInstruction, type Instruction } from "./instructions.js";

/** An instruction and its place. */
type PlacedInstruction = {
  /** Hash of its cell, in hex. */
  readonly cell: string;
  readonly offset: number;
  /** Absent for bits that are no instruction, which end their code. */
  readonly instruction: Instruction | undefined;
  /** How many bodies of continuations are around it in its cell. */
  readonly depth: number;
};

/** Instructions whose references are code, as is the rest of a code that ends with one. */
const runReferences = new Set(
  "PUSHREFCONT CALLREF JMPREF JMPREFDATA IFREF IFNOTREF IFJMPREF IFNOTJMPREF IFREFELSE IFELSEREF IFREFELSEREF IFBITJMPREF IFNBITJMPREF".split(
    " ",
  ),
);

/** The instructions of a code that are found without running it, those of its methods behind those of its root; at most so many. */
export function disassemble(
  code: CodeCells,
  root: Cell,
  max: number,
): { placed: PlacedInstruction[]; isCut: boolean } {
  const reading = new Disassembly(code, max);
  reading.follow([root]);
  for (const { body } of code.methods) {
    reading.read(body.clone());
    reading.follow();
  }
  return { placed: reading.placed, isCut: reading.isCut };
}

class Disassembly {
  readonly placed: PlacedInstruction[] = [];
  isCut = false;
  readonly #code: CodeCells;
  readonly #max: number;
  readonly #seen = new Set<string>();
  readonly #pending: Cell[] = [];

  constructor(code: CodeCells, max: number) {
    this.#code = code;
    this.#max = max;
  }

  /** Reads cells, and those that their instructions refer to. */
  follow(cells: readonly Cell[] = []): void {
    this.#pending.push(...cells);
    for (let cell = this.#pending.pop(); cell; cell = this.#pending.pop()) {
      const target = this.#code.target(cell);
      if (target) this.read(target.parse());
    }
  }

  /** Bodies are in their cell, so that they nest only so deep. */
  read(code: Slice, depth = 0): void {
    const { cell } = code;
    const hash = cell.hashHex();
    const refs: Cell[] = [];
    while (code.remainingBits > 0 && !this.isCut) {
      const offset = code.bitOffset - cell.dataStart * 8;
      const place = `${hash}:${offset}`;
      if (this.#seen.has(place)) break;
      this.#seen.add(place);
      const instruction = decodeInstruction(code);
      this.isCut = this.placed.push({ cell: hash, offset, instruction, depth }) >= this.#max;
      if (!instruction) break;
      if (instruction.body) this.read(instruction.body, depth + 1);
      if (runReferences.has(instruction.name)) refs.push(...instruction.refs);
    }
    // A code without more instructions continues in its next reference.
    if (code.remainingBits === 0 && code.remainingRefs > 0) refs.push(code.loadRef());
    this.#pending.push(...refs.reverse());
  }
}
