import { base64ToBytes, bytesToBase64 } from "../../../values/bytes.js";
import { rest } from "../../bodies/simple.js";
import { parseBocRoot, serializeBoc } from "../../cells/boc/boc.js";
import { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { StackValue } from "../../tvm/stack.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";

type CellSlot = "cell" | "slice" | "builder";

/** What no encoding is known of: all that is left of a cell. On the stack any value, which cannot be given. */
export const raw: Kind = scalar({
  load: (from, work) => {
    work.taken = from;
    return rest(from);
  },
  store: (value, to, work) => {
    to.storeSlice(cellOf(value, work).parse());
    work.taken = to;
  },
  fromSlot: untyped,
  toSlot: (_, work) => work.refuse("values of this type cannot be given; pass a stack"),
  show: showAny,
  parse: parseCell,
});

/** Raw in cells, and this on the stack. */
export const rawAs = (slot: CellSlot): Kind => ({ ...inSlot(slot), load: raw.load, store: raw.store });

/** The rest of a cell, after which nothing can follow. */
export const remaining = (slot: CellSlot): Kind => ({
  ...inSlot(slot),
  load: rest,
  store: (value, to, work) => to.storeSlice(cellOf(value, work).parse()),
});

/** A cell of its own, `^Cell`. */
export const reference = (slot: CellSlot): Kind => ({
  ...inSlot(slot),
  load: (from) => from.loadRef(),
  store: (value, to, work) => to.storeRef(cellOf(value, work)),
});

function inSlot(type: CellSlot): Kind {
  return scalar({
    load: raw.load,
    store: raw.store,
    fromSlot: cellInSlot,
    toSlot: (value, work) => ({ type, cell: cellOf(value, work) }),
    show: showCell,
    parse: parseCell,
  });
}

/** The cell of a slot: contracts in FunC and TON Center do not always tell slices from cells. */
export function cellInSlot(slot: StackValue, work: Work): Cell {
  if (slot.type === "cell" || slot.type === "slice" || slot.type === "builder") return slot.cell;
  return work.refuse(`the stack has no cell here, but ${slot.type}`);
}

function cellOf(value: AbiValue, work: Work): Cell {
  return value instanceof Cell ? value : work.refuse("expected a cell");
}

export function showCell(value: AbiValue, work: Work): string {
  const text = bytesToBase64(serializeBoc(cellOf(value, work), { crc32: false }));
  work.spend(text.length);
  return text;
}

export function parseCell(json: unknown, work: Work): Cell {
  const bytes = typeof json === "string" ? base64ToBytes(json) : undefined;
  if (!bytes) return work.refuse("expected a bag of cells in base64");
  try {
    return parseBocRoot(bytes);
  } catch (error) {
    if (error instanceof CellError) return work.refuse(`not a bag of cells: ${error.message}`);
    throw error;
  }
}

/** A value of the stack without its type. */
function untyped(slot: StackValue, work: Work): AbiValue {
  switch (slot.type) {
    case "null":
      return undefined;
    case "nan":
      return "NaN";
    case "int":
      return slot.value;
    case "tuple":
      return slot.items.map((item) => work.part("", () => untyped(item, work)));
    default:
      return slot.cell;
  }
}

function showAny(value: AbiValue, work: Work): unknown {
  if (value === undefined) return null;
  if (typeof value === "bigint") return work.shownInteger(value);
  if (Array.isArray(value)) return value.map((item: AbiValue) => work.part("", () => showAny(item, work)));
  return value instanceof Cell ? showCell(value, work) : value;
}
