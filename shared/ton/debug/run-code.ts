import type { CodeCells } from "../tvm/code/code-cells.js";
import type { Located } from "./maps/cell-sections.js";
import type { Mark } from "./maps/marks.js";
import type { SourceMap } from "./maps/source-map.js";

const none: readonly Mark[] = [];

/** Methods that the network itself calls. */
const knownMethods: ReadonlyMap<number, string> = new Map([
  [0, "recv_internal"],
  [-1, "recv_external"],
  [-2, "run_ticktock"],
  [-3, "split_prepare"],
  [-4, "split_install"],
]);

/** The name of a method; `cell`: the hash in hex of a cell of its code. */
type MethodName = (id: number, cell: string | undefined) => string | undefined;

/** The codes that a run executes, with what is known of their sources. */
export class RunCode {
  readonly cells: CodeCells;
  readonly #maps: readonly SourceMap[];
  readonly #nameByAbi: MethodName;

  /** `methodName`: the name of a method by the ABI of its contract. */
  constructor(cells: CodeCells, maps: readonly SourceMap[], methodName: MethodName = () => undefined) {
    this.cells = cells;
    this.#maps = maps;
    this.#nameByAbi = methodName;
  }

  /** The map that has a cell. */
  mapOf(cell: string): SourceMap | undefined {
    return this.#maps.find((map) => map.has(cell));
  }

  /** Whether there is a map of the code that a cell is a part of. */
  hasMapOf(cell: string): boolean {
    return this.#maps.some((map) => map.covers(cell));
  }

  at(cell: string, offset: number): Located | undefined {
    return this.mapOf(cell)?.at(cell, offset);
  }

  marksAt(cell: string, offset: number): readonly Mark[] {
    return this.mapOf(cell)?.marksAt(cell, offset) ?? none;
  }

  /** The name of a method by the ABI, or that of an entry of the network. `cell`: one of its code, by default of the contract's. */
  methodName(id: number, cell?: string): string | undefined {
    return this.#nameByAbi(id, cell) ?? knownMethods.get(id);
  }

  /** The method that a cell is a part of; `undefined` if it is one of none or of several. */
  methodOf(cell: string): string | undefined {
    const id = this.cells.methodOf(cell);
    return id === undefined ? undefined : (this.methodName(id, cell) ?? `method ${id}`);
  }
}
