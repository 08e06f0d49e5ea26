import { type Builder, beginCell } from "../../cells/builder.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";

/** A value on the TVM stack. A slice or builder is represented by a cell with exactly its content. */
export type StackValue =
  | { type: "null" | "nan" }
  | { type: "int"; value: bigint }
  | { type: "cell" | "slice" | "builder"; cell: Cell }
  | { type: "tuple"; items: StackValue[] }
  /** `vm_stk_cont#06 cont:VmCont`: not decoded, `cell` contains the VmCont. */
  | { type: "continuation"; cell: Cell };

/** Limits of a stack; values inside tuples count. */
export const stackLimits = { values: 8000, depth: 1024 } as const;

/** A stack cannot be decoded ("malformed"), or exceeds `stackLimits` ("size", "depth"). */
export class StackError extends Error {
  readonly code: "malformed" | "size" | "depth";

  constructor(code: "malformed" | "size" | "depth", message: string) {
    super(message);
    this.name = "StackError";
    this.code = code;
  }
}

/** Counts values and depth of one stack, so that shared cells cannot multiply the work. */
class Budget {
  #values = 0;

  spend(depth: number): void {
    if (++this.#values > stackLimits.values)
      throw new StackError("size", `a stack holds at most ${stackLimits.values} values`);
    if (depth > stackLimits.depth)
      throw new StackError("depth", `values on a stack are nested at most ${stackLimits.depth} deep`);
  }
}

/** `vm_stack#_ depth:(## 24) stack:(VmStackList depth) = VmStack`; `values` bottom to top. Throws a StackError. */
export function storeStack(values: readonly StackValue[]): Cell {
  return tellDepth(() => {
    const budget = new Budget();
    // vm_stk_nil#_ = VmStackList 0; vm_stk_cons#_ rest:^(VmStackList n) tos:VmStackValue = VmStackList (n + 1)
    let list = beginCell();
    for (const value of values) {
      const cons = beginCell().storeRef(list.endCell());
      storeValue(value, cons, budget, 1);
      list = cons;
    }
    return beginCell().storeUint(values.length, 24).storeBuilder(list).endCell();
  });
}

/** Stores one VmStackValue, the form in which the emulator takes previous blocks. */
export function storeStackValue(value: StackValue): Cell {
  return tellDepth(() => {
    const builder = beginCell();
    storeValue(value, builder, new Budget(), 1);
    return builder.endCell();
  });
}

/** Reports cells that are too deep: each value adds a level, on top of the depth of the cells it contains. */
function tellDepth(store: () => Cell): Cell {
  try {
    return store();
  } catch (error) {
    if (error instanceof CellError && error.code === "invalid") throw new StackError("depth", error.message);
    throw error;
  }
}

/** The values of a VmStack, bottom to top. Throws a StackError or CellError. */
export function loadStack(cell: Cell): StackValue[] {
  const budget = new Budget();
  let list = cell.parse();
  const depth = list.loadUint(24);
  if (depth > stackLimits.values)
    throw new StackError("size", `a stack holds at most ${stackLimits.values} values`);
  const values: StackValue[] = [];
  for (let left = depth; left > 0; left--) {
    const rest = list.loadRef();
    values.push(loadLastValue(list, budget, 1));
    list = rest.parse();
  }
  list.end();
  return values.reverse();
}

function storeValue(value: StackValue, builder: Builder, budget: Budget, depth: number): void {
  budget.spend(depth);
  switch (value.type) {
    case "null": // vm_stk_null#00
      builder.storeUint(0x00, 8);
      return;
    case "int": // vm_stk_tinyint#01 value:int64; vm_stk_int#0201_ value:int257
      if (BigInt.asIntN(64, value.value) === value.value)
        builder.storeUint(0x01, 8).storeInt(value.value, 64);
      else builder.storeUint(0x0200 >> 1, 15).storeInt(value.value, 257);
      return;
    case "nan": // vm_stk_nan#02ff
      builder.storeUint(0x02ff, 16);
      return;
    case "cell": // vm_stk_cell#03 cell:^Cell
      builder.storeUint(0x03, 8).storeRef(value.cell);
      return;
    case "slice": // vm_stk_slice#04 _:VmCellSlice
      storeWholeSlice(value.cell, builder.storeUint(0x04, 8));
      return;
    case "builder": // vm_stk_builder#05 cell:^Cell
      builder.storeUint(0x05, 8).storeRef(value.cell);
      return;
    case "continuation":
      builder.storeUint(0x06, 8).storeSlice(value.cell.parse());
      return;
    case "tuple": // vm_stk_tuple#07 len:(## 16) data:(VmTuple len)
      storeTuple(value.items, builder.storeUint(0x07, 8).storeUint(value.items.length, 16), budget, depth);
      return;
  }
}

/** `_ cell:^Cell st_bits:(## 10) end_bits:(## 10) st_ref:(#<= 4) end_ref:(#<= 4) = VmCellSlice` */
function storeWholeSlice(cell: Cell, builder: Builder): void {
  builder
    .storeRef(cell)
    .storeUint(0, 10)
    .storeUint(cell.bits, 10)
    .storeUint(0, 3)
    .storeUint(cell.refCount, 3);
}

/**
 * `vm_tuple_nil$_ = VmTuple 0; vm_tuple_tcons$_ head:(VmTupleRef n) tail:^VmStackValue = VmTuple (n + 1);`
 * `vm_tupref_nil$_ = VmTupleRef 0; vm_tupref_single$_ entry:^VmStackValue = VmTupleRef 1;`
 * `vm_tupref_any$_ ref:^(VmTuple (n + 2)) = VmTupleRef (n + 2)`: the first two items lie in the innermost cell.
 */
function storeTuple(items: readonly StackValue[], builder: Builder, budget: Budget, depth: number): void {
  const cells = items.map((item) => {
    const entry = beginCell();
    storeValue(item, entry, budget, depth + 1);
    return entry.endCell();
  });
  let tuple = beginCell();
  cells.forEach((cell, index) => {
    if (index >= 2) tuple = beginCell().storeRef(tuple.endCell());
    tuple.storeRef(cell);
  });
  builder.storeBuilder(tuple);
}

/** A value must end with its cell. */
function loadLastValue(slice: Slice, budget: Budget, depth: number): StackValue {
  const value = loadValue(slice, budget, depth);
  if (value.type !== "continuation") slice.end();
  return value;
}

function loadValue(slice: Slice, budget: Budget, depth: number): StackValue {
  budget.spend(depth);
  const tag = slice.loadUint(8);
  switch (tag) {
    case 0x00:
      return { type: "null" };
    case 0x01:
      return { type: "int", value: slice.loadBigInt(64) };
    case 0x02:
      return loadInteger(slice);
    case 0x03:
      return { type: "cell", cell: slice.loadRef() };
    case 0x04:
      return { type: "slice", cell: loadSliceContent(slice) };
    case 0x05:
      return { type: "builder", cell: slice.loadRef() };
    case 0x06:
      // A VmCont has no length: it takes the rest of the cell.
      return { type: "continuation", cell: slice.toCell() };
    case 0x07:
      return { type: "tuple", items: loadTuple(slice, budget, depth) };
    default:
      throw new StackError("malformed", `unknown tag of a stack value: ${tag}`);
  }
}

/** After the byte 02: seven zero bits and an int257, or ff for NaN. */
function loadInteger(slice: Slice): StackValue {
  const rest = slice.loadUint(7);
  if (rest === 0) return { type: "int", value: slice.loadBigInt(257) };
  if (rest === 0x7f && slice.loadBit()) return { type: "nan" };
  throw new StackError("malformed", "a stack integer has an unknown tag");
}

function loadSliceContent(slice: Slice): Cell {
  const cell = slice.loadRef();
  const [startBit, endBit] = [slice.loadUint(10), slice.loadUint(10)];
  const [startRef, endRef] = [slice.loadUint(3), slice.loadUint(3)];
  if (startBit > endBit || endBit > cell.bits || startRef > endRef || endRef > cell.refCount)
    throw new StackError("malformed", "a stack slice ends outside its cell");
  if (startBit === 0 && endBit === cell.bits && startRef === 0 && endRef === cell.refCount) return cell;
  const builder = beginCell().storeSlice(
    cell
      .parseExotic()
      .skip(startBit)
      .loadBits(endBit - startBit),
  );
  for (let index = startRef; index < endRef; index++) builder.storeRef(cell.ref(index));
  return builder.endCell();
}

function loadTuple(slice: Slice, budget: Budget, depth: number): StackValue[] {
  const length = slice.loadUint(16);
  const items: StackValue[] = [];
  const loadItem = (cell: Cell) => loadLastValue(cell.parse(), budget, depth + 1);
  if (length === 0) return items;
  let [head, tuple] = [slice, length];
  // From the last item to the first: each level has one item and, in its first reference, the rest.
  for (; tuple > 2; tuple--) {
    const rest = head.loadRef();
    items.push(loadItem(head.loadRef()));
    head.end();
    head = rest.parse();
  }
  const first = loadItem(head.loadRef());
  if (tuple === 2) items.push(loadItem(head.loadRef()));
  head.end();
  items.push(first);
  return items.reverse();
}
