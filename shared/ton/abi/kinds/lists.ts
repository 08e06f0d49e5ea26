import { beginCell } from "../../cells/builder.js";
import { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { StackValue } from "../../tvm/stack.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { type Inner, jsonList, listOf, popItem, pushItem } from "./composed.js";

/** Items of a tuple of the machine. */
const maxItems = 255;

/** Operations on JSON that all lists share. */
function asJson(inner: Inner): Pick<Kind, "show" | "parse"> {
  return {
    show: (value, work) =>
      listOf(value, work).map((each, i) => work.part(String(i), () => inner().show(each, work))),
    parse: (json, work) =>
      jsonList(json, work).map((each, i) => work.part(String(i), () => inner().parse(each, work))),
  };
}

/**
 * `array<T>`: the number of items in 8 bits and `Maybe ^Chunk`; a chunk is `Maybe ^Chunk`, the next one, and as many
 * items as it has. A tuple on the stack.
 */
export function arrayOf(inner: Inner): Kind {
  return scalar({
    load: (from, work) => {
      const length = from.loadUint(8);
      const values: AbiValue[] = [];
      let next = from.loadMaybeRef();
      while (next) {
        const chunk = ordinary(next).parse();
        next = work.part("", () => chunk.loadMaybeRef());
        while (chunk.remainingBits > 0 || chunk.remainingRefs > 0) {
          values.push(work.part(String(values.length), () => inner().load(chunk, work)));
          if (values.length > length) throw otherLength();
        }
      }
      if (values.length !== length) throw otherLength();
      return values;
    },
    store: (value, to, work) => {
      const values = itemsOf(value, work);
      const chunks: Cell[] = [];
      let next: Cell | undefined;
      // From the last to the first chunk: each refers to the next.
      for (const chunk of chunksOf(values, inner(), work).reverse()) {
        const builder = beginCell().storeMaybeRef(next).storeSlice(chunk.parse());
        next = builder.endCell();
        chunks.push(next);
      }
      to.storeUint(values.length, 8).storeMaybeRef(next);
    },
    fromSlot: (slot, work) => {
      if (slot.type !== "tuple") return work.refuse("the stack has no tuple here");
      return slot.items.map((item, i) => work.part(String(i), () => popItem(item, inner(), work)));
    },
    toSlot: (value, work) => ({
      type: "tuple",
      items: itemsOf(value, work).map((each, i) => work.part(String(i), () => pushItem(each, inner(), work))),
    }),
    ...asJson(inner),
  });
}

/** The items in as few cells as hold them in order, each with room for the reference to the next one. */
function chunksOf(values: readonly AbiValue[], kind: Kind, work: Work): Cell[] {
  const chunks: Cell[] = [];
  let open = beginCell();
  for (const [i, value] of values.entries()) {
    const item = beginCell();
    work.part(String(i), () => kind.store(value, item, work));
    if (item.bits === 0 && item.refCount === 0) work.refuse("an array cannot hold items without bits");
    if (i > 0 && (open.bits + item.bits > 1022 || open.refCount + item.refCount > 3)) {
      chunks.push(open.endCell());
      open = beginCell();
    }
    open.storeBuilder(item);
  }
  if (values.length > 0) chunks.push(open.endCell());
  return chunks;
}

/**
 * `lisp_list<T>`: the root is the last item with a reference to the cell before it; the first cell is empty. Pairs on
 * the stack, first item first.
 */
export function lispListOf(inner: Inner): Kind {
  return scalar({
    load: (from, work) => {
      const values: AbiValue[] = [];
      let node = ordinary(from.loadRef()).parse();
      while (node.remainingRefs > 0) {
        const before = node.loadRef();
        const item = node;
        values.push(work.part("", () => inner().load(item, work)));
        item.end();
        node = ordinary(before).parse();
      }
      node.end();
      return values.reverse();
    },
    store: (value, to, work) => {
      let list = Cell.empty;
      for (const [i, each] of listOf(value, work).entries()) {
        const node = beginCell().storeRef(list);
        work.part(String(i), () => inner().store(each, node, work));
        list = node.endCell();
      }
      to.storeRef(list);
    },
    fromSlot: (slot, work) => {
      const values: AbiValue[] = [];
      for (let rest: StackValue = slot; rest.type !== "null"; ) {
        const [head, tail]: readonly StackValue[] =
          rest.type === "tuple" && rest.items.length === 2 ? rest.items : [];
        if (!head || !tail) return work.refuse("the stack has no list here");
        values.push(work.part(String(values.length), () => popItem(head, inner(), work)));
        rest = tail;
      }
      return values;
    },
    toSlot: (value, work) => {
      let list: StackValue = { type: "null" };
      for (const [i, each] of [...listOf(value, work).entries()].reverse())
        list = { type: "tuple", items: [work.part(String(i), () => pushItem(each, inner(), work)), list] };
      return list;
    },
    ...asJson(inner),
  });
}

function itemsOf(value: AbiValue, work: Work): readonly AbiValue[] {
  const values = listOf(value, work);
  return values.length > maxItems ? work.refuse(`an array has at most ${maxItems} items`) : values;
}

function ordinary(cell: Cell): Cell {
  if (cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
  return cell;
}

function otherLength(): CellError {
  return new CellError("invalid", "an array has another number of items than it says");
}
