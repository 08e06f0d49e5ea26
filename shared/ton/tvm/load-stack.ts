import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import type { Slice } from "../cells/slice.js";
import { StackBudget, StackError, type StackValue, stackLimits } from "./stack.js";

const tags = { null: 0x00, tuple: 0x07 } as const;

/** The values of a VmStack, bottom to top. Throws a StackError or CellError. */
export function loadStack(cell: Cell): StackValue[] {
  const budget = new StackBudget();
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

/** A value must end with its cell. */
function loadLastValue(slice: Slice, budget: StackBudget, depth: number): StackValue {
  return loadTagged(slice.loadUint(8), slice, budget, depth);
}

function loadTagged(tag: number, slice: Slice, budget: StackBudget, depth: number): StackValue {
  if (tag === tags.tuple) return loadTuple(slice, budget, depth);
  budget.spend(depth);
  const value = loadValue(tag, slice);
  if (value.type !== "continuation") slice.end();
  return value;
}

function loadValue(tag: number, slice: Slice): StackValue {
  switch (tag) {
    case tags.null:
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
      return { type: "continuation", cell: restOf(slice) };
    default:
      throw new StackError("malformed", `unknown tag of a stack value: ${tag}`);
  }
}

/** A continuation may have saved a stack that is deeper than a tree of cells can be. */
function restOf(slice: Slice): Cell {
  try {
    return slice.toCell();
  } catch (error) {
    if (error instanceof CellError && error.code === "invalid") throw new StackError("depth", error.message);
    throw error;
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

function loadTuple(slice: Slice, budget: StackBudget, depth: number): StackValue {
  const length = slice.loadUint(16);
  if (length === 2) return loadPairs(slice, budget, depth);
  budget.spend(depth);
  const items: StackValue[] = [];
  const loadItem = (cell: Cell) => loadLastValue(cell.parse(), budget, depth + 1);
  let head = slice;
  // From the last item to the first: each level has one item and, in its first reference, the rest.
  for (let left = length; left > 2; left--) {
    const rest = head.loadRef();
    items.push(loadItem(head.loadRef()));
    head.end();
    head = rest.parse();
  }
  const first = length > 0 ? head.loadRef() : undefined;
  if (length > 1) items.push(loadItem(head.loadRef()));
  head.end();
  if (first) items.push(loadItem(first));
  return { type: "tuple", items: items.reverse() };
}

/** Pairs, each the second item of the one before. Read by a loop, as a list has one for each of its items. */
function loadPairs(first: Slice, budget: StackBudget, depth: number): StackValue {
  budget.enter(depth);
  const heads: StackValue[] = [];
  let [tag, slice]: [number, Slice] = [tags.tuple, first];
  do {
    heads.push(loadLastValue(slice.loadRef().parse(), budget, depth + 1));
    const rest = slice.loadRef().parse();
    slice.end();
    [tag, slice] = [rest.loadUint(8), rest];
  } while (tag === tags.tuple && slice.preloadUint(16) === 2 && slice.skip(16));
  if (tag !== tags.null) budget.spendOnPairs(heads.length, depth);
  const end =
    tag === tags.null ? loadValue(tag, slice) : loadTagged(tag, slice, budget, depth + heads.length);
  slice.end();
  return heads.reduceRight<StackValue>((rest, head) => ({ type: "tuple", items: [head, rest] }), end);
}
