import { itemAt } from "../../values/lookups.js";
import { writeBoc } from "../cells/boc/boc.js";
import { arrange } from "../cells/boc/boc-order.js";
import { type Builder, beginCell } from "../cells/builder.js";
import { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { StackBudget, StackError, type StackValue } from "./stack.js";

/** `vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack`; `values` bottom to top. Throws a StackError. */
export function storeStack(values: readonly StackValue[]): Cell {
  return new StackRows().addStack(values).toCell();
}

/** Stores one VmStackValue, the form in which the emulator takes previous blocks. Throws a StackError. */
export function storeStackValue(value: StackValue): Cell {
  return new StackRows().addRoot(value).toCell();
}

/** A VmStack as a bag of cells, also where it is deeper than a tree of cells can be. Throws a StackError. */
export function stackBoc(values: readonly StackValue[]): { boc: Uint8Array; cells: readonly Cell[] } {
  const rows = new StackRows().addStack(values);
  return { boc: rows.toBoc(), cells: rows.cells };
}

/** A cell of the stack without its references; a reference is the index of a row, or the complement of a cell's. */
type Row = { readonly content: Cell; readonly refs: readonly number[] };
type OpenRow = { readonly bits: Builder; readonly refs: number[] };

/** The cells of one stack, children before parents. Every value adds a level, so they may be too deep for a `Cell`. */
class StackRows {
  /** Cells that the values contain. */
  readonly cells: Cell[] = [];
  readonly #rows: Row[] = [];
  readonly #budget = new StackBudget();

  addStack(values: readonly StackValue[]): this {
    // vm_stk_nil#_ = VmStackList 0; vm_stk_cons#_ rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1)
    let list: OpenRow = { bits: beginCell(), refs: [] };
    const top = values.length - 1;
    values.forEach((value, index) => {
      const bits = beginCell();
      if (index === top) bits.storeUint(values.length, 24);
      const cons: OpenRow = { bits, refs: [this.#close(list)] };
      this.#store(value, cons, 1);
      list = cons;
    });
    if (top < 0) list.bits.storeUint(0, 24);
    this.#close(list);
    return this;
  }

  addRoot(value: StackValue): this {
    this.#add(value, 1);
    return this;
  }

  toCell(): Cell {
    const made: Cell[] = [];
    const cellAt = (ref: number) => (ref < 0 ? itemAt(this.cells, ~ref) : itemAt(made, ref));
    try {
      for (const { content, refs } of this.#rows) made.push(Cell.of(content, refs.map(cellAt)));
    } catch (error) {
      if (error instanceof CellError && error.code === "invalid")
        throw new StackError("depth", error.message);
      throw error;
    }
    return itemAt(made, -1);
  }

  toBoc(): Uint8Array {
    const trees = arrange(this.cells);
    const rows = [...this.#rows].reverse();
    const position = (ref: number) =>
      ref < 0 ? rows.length + itemAt(trees.roots, ~ref) : rows.length - 1 - ref;
    const arrangement = {
      cells: [...rows.map(({ content }) => content), ...trees.cells],
      refs: [
        ...rows.map(({ refs }) => refs.map(position)),
        ...trees.refs.map((refs) => refs.map((ref) => rows.length + ref)),
      ],
      roots: [0],
    };
    return writeBoc(arrangement, { crc32: false });
  }

  #close({ bits, refs }: OpenRow): number {
    return this.#rows.push({ content: bits.endCell(), refs }) - 1;
  }

  /** Index of a row with just this value. */
  #add(value: StackValue, depth: number): number {
    const row = { bits: beginCell(), refs: [] };
    this.#store(value, row, depth);
    return this.#close(row);
  }

  #store(value: StackValue, row: OpenRow, depth: number): void {
    if (value.type === "tuple") {
      if (value.items.length === 2) this.#storePairs(value, row, depth);
      else this.#storeTuple(value.items, row, depth);
      return;
    }
    this.#budget.spend(depth);
    this.#storeSimple(value, row);
  }

  #storeSimple(value: Exclude<StackValue, { type: "tuple" }>, { bits, refs }: OpenRow): void {
    switch (value.type) {
      case "null": // vm_stk_null#00
        bits.storeUint(0x00, 8);
        return;
      case "int": // vm_stk_tinyint#01 value:int64; vm_stk_int#0201_ value:int257
        if (BigInt.asIntN(64, value.value) === value.value) bits.storeUint(0x01, 8).storeInt(value.value, 64);
        else bits.storeUint(0x0200 >> 1, 15).storeInt(value.value, 257);
        return;
      case "nan": // vm_stk_nan#02ff
        bits.storeUint(0x02ff, 16);
        return;
      case "cell": // vm_stk_cell#03 cell:^Cell
        bits.storeUint(0x03, 8);
        refs.push(this.#refTo(value.cell));
        return;
      case "slice": // vm_stk_slice#04 _:VmCellSlice
        storeSliceBounds(value.cell, bits.storeUint(0x04, 8));
        refs.push(this.#refTo(value.cell));
        return;
      case "builder": // vm_stk_builder#05 cell:^Cell
        bits.storeUint(0x05, 8);
        refs.push(this.#refTo(value.cell));
        return;
      case "continuation":
        bits.storeUint(0x06, 8).storeSlice(value.cell.parse().loadBits(value.cell.bits));
        refs.push(...value.cell.mapRefs((ref) => this.#refTo(ref)));
        return;
    }
  }

  #refTo(cell: Cell): number {
    return ~(this.cells.push(cell) - 1);
  }

  /**
   * `vm_stk_tuple#07 len:(## 16) data:(VmTuple len)`
   * `vm_tuple_nil$_ = VmTuple 0; vm_tuple_tcons$_ head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);`
   * `vm_tupref_nil$_ = VmTupleRef 0; vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;`
   * `vm_tupref_any$_ ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2)`: the first two items lie in the innermost cell.
   */
  #storeTuple(items: readonly StackValue[], row: OpenRow, depth: number): void {
    this.#budget.spend(depth);
    const entries = items.map((item) => this.#add(item, depth + 1));
    let refs = entries.slice(0, 2);
    for (const entry of entries.slice(2)) refs = [this.#close({ bits: beginCell(), refs }), entry];
    openTuple(row, items.length).push(...refs);
  }

  /** Pairs, each the second item of the one before. Stored by a loop, as a list has one for each of its items. */
  #storePairs(first: StackValue, row: OpenRow, depth: number): void {
    this.#budget.enter(depth);
    const heads: number[] = [];
    let rest = first;
    while (rest.type === "tuple" && rest.items.length === 2) {
      heads.push(this.#add(itemAt(rest.items, 0), depth + 1));
      rest = itemAt(rest.items, 1);
    }
    const end: OpenRow = { bits: beginCell(), refs: [] };
    if (rest.type === "null") this.#storeSimple(rest, end);
    else {
      this.#budget.spendOnPairs(heads.length, depth);
      this.#store(rest, end, depth + heads.length);
    }
    let tail = this.#close(end);
    for (const head of heads.slice(1).reverse()) {
      const pair: OpenRow = { bits: beginCell(), refs: [] };
      openTuple(pair, 2).push(head, tail);
      tail = this.#close(pair);
    }
    openTuple(row, 2).push(itemAt(heads, 0), tail);
  }
}

/** The references to be filled with the items. */
function openTuple({ bits, refs }: OpenRow, length: number): number[] {
  bits.storeUint(0x07, 8).storeUint(length, 16);
  return refs;
}

/** `_ cell:^Cell st_bits:(## 10) end_bits:(## 10) st_ref:(#<= 4) end_ref:(#<= 4) = VmCellSlice`: the whole cell. */
function storeSliceBounds(cell: Cell, bits: Builder): void {
  bits.storeUint(0, 10).storeUint(cell.bits, 10).storeUint(0, 3).storeUint(cell.refCount, 3);
}
