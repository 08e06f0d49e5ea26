import { beginCell } from "../../cells/builder.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import type { StackValue } from "../../tvm/stack.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { cellInSlot } from "./raw.js";

/** A kind that is looked up when it is used, as types refer to each other. */
export type Inner = () => Kind;

/** Nothing: no bits and no place on the stack. */
export const nothing: Kind = {
  load: () => undefined,
  store: () => undefined,
  width: () => 0,
  pop: () => undefined,
  push: () => undefined,
  show: () => null,
  parse: () => undefined,
};

/** Null, which has a place on the stack. */
export const nullLiteral: Kind = {
  ...nothing,
  width: () => 1,
  push: (_, to) => {
    to.push({ type: "null" });
  },
};

/** `Maybe T`. With a type id, the last of `width` places says whether there is a value; else null is in the only one. */
export function nullable(inner: Inner, width: number, typeId: bigint | undefined): Kind {
  return {
    load: (from, work) => (from.loadBit() ? work.part("", () => inner().load(from, work)) : undefined),
    store: (value, to, work) => {
      to.storeBit(value !== undefined);
      if (value !== undefined) work.part("", () => inner().store(value, to, work));
    },
    width: () => width,
    pop: (slots, work) => {
      if (typeId === undefined) {
        const isNull = width === 1 && slots[0]?.type === "null";
        return isNull ? undefined : work.part("", () => popFrom(slots, inner(), work));
      }
      const last = slots.at(-1);
      if (last?.type !== "int") return work.refuse("the stack has no id of a type here");
      return last.value === 0n ? undefined : work.part("", () => popFrom(slots.slice(0, -1), inner(), work));
    },
    push: (value, to, work) => {
      if (value === undefined) {
        for (let place = typeId === undefined ? 0 : 1; place < width; place++) to.push({ type: "null" });
        if (typeId !== undefined) to.push({ type: "int", value: 0n });
        return;
      }
      work.part("", () => inner().push(value, to, work));
      if (typeId !== undefined) to.push({ type: "int", value: typeId });
    },
    show: (value, work) => (value === undefined ? null : work.part("", () => inner().show(value, work))),
    parse: (json, work) =>
      json === null || json === undefined ? undefined : work.part("", () => inner().parse(json, work)),
  };
}

/** Values of a kind that must take all the slots. */
export function popFrom(slots: readonly StackValue[], kind: Kind, work: Work): AbiValue {
  const width = kind.width();
  if (slots.length !== width) return work.refuse(`${slots.length} values on the stack instead of ${width}`);
  return kind.pop(slots, work);
}

/** `^T`: a cell with one value and nothing else. */
export function typedCell(inner: Inner): Kind {
  const open = (slice: Slice, work: Work) => {
    if (slice.cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
    return work.part("", () => {
      const value = inner().load(slice, work);
      slice.end();
      return value;
    });
  };
  const close = (value: AbiValue, work: Work) =>
    work.part("", () => {
      const builder = beginCell();
      inner().store(value, builder, work);
      return builder.endCell();
    });
  return scalar({
    load: (from, work) => open(from.loadRef().parse(), work),
    store: (value, to, work) => to.storeRef(close(value, work)),
    fromSlot: (slot, work) => open(cellInSlot(slot, work).parse(), work),
    toSlot: (value, work) => ({ type: "cell", cell: close(value, work) }),
    show: (value, work) => work.part("", () => inner().show(value, work)),
    parse: (json, work) => work.part("", () => inner().parse(json, work)),
  });
}

/** One after another, in cells and on the stack. */
export function tensor(items: readonly Inner[]): Kind {
  return {
    load: (from, work) => {
      const values: AbiValue[] = [];
      for (const [i, item] of items.entries()) {
        values.push(work.part(String(i), () => item().load(from, work)));
        if (work.taken === from) break;
      }
      return values;
    },
    store: (value, to, work) => {
      const values = listOf(value, work);
      for (const [i, item] of items.entries()) {
        if (i === values.length && work.taken === to) return;
        work.part(String(i), () => item().store(values[i], to, work));
      }
    },
    width: () => items.reduce((sum, item) => sum + item().width(), 0),
    pop: (slots, work) => {
      let at = 0;
      return items.map((item, i) =>
        work.part(String(i), () => {
          const kind = item();
          const own = slots.slice(at, at + kind.width());
          at += own.length;
          return kind.pop(own, work);
        }),
      );
    },
    push: (value, to, work) => {
      const values = listOf(value, work);
      for (const [i, item] of items.entries()) work.part(String(i), () => item().push(values[i], to, work));
    },
    show: (value, work) =>
      listOf(value, work).map((each, i) => work.part(String(i), () => items[i]!().show(each, work))),
    parse: (json, work) => {
      const values = jsonList(json, work);
      if (values.length > items.length) return work.refuse(`expected ${items.length} values`);
      return values.map((each, i) => work.part(String(i), () => items[i]!().parse(each, work)));
    },
  };
}

/** A tensor that is a tuple on the stack; an item of several values is a tuple in it. */
export function shapedTuple(items: readonly Inner[]): Kind {
  return scalar({
    ...tensor(items),
    fromSlot: (slot, work) => {
      const slots = slot.type === "tuple" ? slot.items : work.refuse("the stack has no tuple here");
      if (slots.length !== items.length) return work.refuse(`a tuple of ${items.length} values is expected`);
      return items.map((item, i) => work.part(String(i), () => popItem(slots[i]!, item(), work)));
    },
    toSlot: (value, work) => {
      const values = listOf(value, work);
      return {
        type: "tuple",
        items: items.map((item, i) => work.part(String(i), () => pushItem(values[i], item(), work))),
      };
    },
  });
}

/** A kind whose values are a tuple on the stack. */
export function tupled(inner: Kind): Kind {
  return scalar({
    ...inner,
    fromSlot: (slot, work) =>
      popFrom(slot.type === "tuple" ? slot.items : work.refuse("the stack has no tuple here"), inner, work),
    toSlot: (value, work) => {
      const items: StackValue[] = [];
      inner.push(value, items, work);
      return { type: "tuple", items };
    },
  });
}

export function popItem(slot: StackValue, kind: Kind, work: Work): AbiValue {
  if (kind.width() === 1) return kind.pop([slot], work);
  return popFrom(slot.type === "tuple" ? slot.items : work.refuse("the stack has no tuple here"), kind, work);
}

export function pushItem(value: AbiValue, kind: Kind, work: Work): StackValue {
  const slots: StackValue[] = [];
  kind.push(value, slots, work);
  return slots.length === 1 ? slots[0]! : { type: "tuple", items: slots };
}

export function listOf(value: AbiValue, work: Work): readonly AbiValue[] {
  return Array.isArray(value) ? value : work.refuse("expected a list");
}

export function jsonList(json: unknown, work: Work): readonly unknown[] {
  return Array.isArray(json) ? json : work.refuse("expected a list");
}
