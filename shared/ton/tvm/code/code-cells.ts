import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { anySlice, Dictionary, intKey } from "../../cells/dictionaries/dictionary.js";
import type { Slice } from "../../cells/slice.js";
import { decodeInstruction, type Instruction } from "./instructions.js";

/** Bounds of a code: real ones have some hundred cells and methods. */
const limits = { cells: 65_536, methods: 4096, places: 262_144 } as const;
const methodKeyBits = 19;

/** Where a method begins: in the leaf of a dictionary, behind its label. */
type Method = {
  readonly id: number;
  readonly cell: Cell;
  readonly offset: number;
  readonly body: Slice;
};

/** Finds the code of a library cell. */
type FindLibrary = (cell: Cell) => Cell | undefined;

/** The cells of codes by their hashes, and their methods. */
export class CodeCells {
  readonly #cells = new Map<string, Cell>();
  readonly #library: FindLibrary;
  readonly #roots = new Set<string>();
  readonly #instructions = new Map<string, Instruction | undefined>();
  #methods: readonly Method[] | undefined;
  #starts: ReadonlyMap<string, number> | undefined;
  #owners: ReadonlyMap<string, number> | undefined;

  constructor(roots: readonly Cell[], library: FindLibrary = () => undefined) {
    this.#library = library;
    for (const root of roots)
      for (const each of [root, this.target(root)]) if (each) this.#roots.add(each.hashHex());
    const next = [...roots].reverse();
    for (let cell = next.pop(); cell && this.#cells.size < limits.cells; cell = next.pop()) {
      const hash = cell.hashHex();
      if (this.#cells.has(hash)) continue;
      this.#cells.set(hash, cell);
      const target = cell.type === "library" ? library(cell) : undefined;
      next.push(...(target ? [target] : [...cell.refs].reverse()));
    }
  }

  /** By the hash in lower-case hex. */
  cell(hash: string): Cell | undefined {
    return this.#cells.get(hash);
  }

  /** Whether these are the cells of the same codes. */
  isSame(other: CodeCells): boolean {
    return this.#cells.size === other.#cells.size && [...this.#roots].every((root) => other.#roots.has(root));
  }

  /** Whether a cell is the beginning of a code. */
  isRoot(hash: string): boolean {
    return this.#roots.has(hash);
  }

  /** The code that a cell is, or that a library cell stands for; `undefined` if it is neither. */
  target(cell: Cell): Cell | undefined {
    const found = cell.type === "library" ? this.#library(cell) : cell;
    return found?.type === "ordinary" ? found : undefined;
  }

  /** The instruction at a place; `undefined` if there is none, or the cell is of another code. */
  at(hash: string, offset: number): Instruction | undefined {
    const key = `${hash}:${offset}`;
    if (this.#instructions.has(key)) return this.#instructions.get(key);
    const cell = this.#cells.get(hash);
    const instruction =
      cell?.type === "ordinary" && offset < cell.bits
        ? decodeInstruction(cell.parse().skip(offset))
        : undefined;
    if (this.#instructions.size < limits.places) this.#instructions.set(key, instruction);
    return instruction;
  }

  /** The methods in all dictionaries of methods. */
  get methods(): readonly Method[] {
    this.#methods ??= this.#findMethods();
    return this.#methods;
  }

  /** Where the code in a cell begins: in a leaf, behind the label. */
  startOf(hash: string): number {
    this.#starts ??= new Map(this.methods.map(({ cell, offset }) => [cell.hashHex(), offset]));
    return this.#starts.get(hash) ?? 0;
  }

  /** The method to which a cell belongs; `undefined` if it is part of none or of several. */
  methodOf(hash: string): number | undefined {
    this.#owners ??= this.#findOwners();
    return this.#owners.get(hash);
  }

  #findMethods(): Method[] {
    const found: Method[] = [];
    for (const cell of this.#cells.values())
      if (cell.type === "ordinary")
        for (const dictionary of dictionariesIn(cell)) found.push(...methodsIn(dictionary));
    return found.slice(0, limits.methods);
  }

  #findOwners(): Map<string, number> {
    const owners = new Map<string, number>();
    const shared = new Set<string>();
    for (const { id, cell } of this.methods) {
      const next = [cell];
      for (let each = next.pop(); each; each = next.pop()) {
        const hash = each.hashHex();
        const owner = owners.get(hash);
        if (owner === id || shared.has(hash)) continue;
        if (owner === undefined) owners.set(hash, id);
        else {
          owners.delete(hash);
          shared.add(hash);
        }
        next.push(...each.refs);
      }
    }
    return owners;
  }
}

/** The dictionaries of methods that instructions at the beginning of a cell take. */
function* dictionariesIn(cell: Cell): Generator<Cell> {
  const code = cell.parse();
  while (code.remainingRefs > 0) {
    const instruction = decodeInstruction(code);
    if (!instruction) return;
    const [dictionary] = instruction.refs;
    if (instruction.name === "DICTPUSHCONST" && instruction.args === String(methodKeyBits) && dictionary)
      yield dictionary;
  }
}

function methodsIn(dictionary: Cell): Method[] {
  const methods: Method[] = [];
  try {
    for (const [id, body] of Dictionary.loadDirect(dictionary, intKey(methodKeyBits), anySlice).entries()) {
      const { cell } = body;
      methods.push({ id, cell, offset: cell.bits - body.remainingBits, body });
      if (methods.length === limits.methods) break;
    }
  } catch (error) {
    // Any code may have such an instruction before what is no dictionary.
    if (!(error instanceof CellError)) throw error;
  }
  return methods;
}
