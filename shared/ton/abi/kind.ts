import type { Builder } from "../cells/builder.js";
import type { Slice } from "../cells/slice.js";
import type { StackValue } from "../tvm/stack.js";
import type { AbiValue } from "./value.js";
import type { Work } from "./work.js";

/**
 * How values of a type are encoded. What does not fit is a CellError where cells are read, and else an AbiError that
 * names the part.
 */
export interface Kind {
  load(from: Slice, work: Work): AbiValue;
  store(value: AbiValue, to: Builder, work: Work): void;
  /** Number of values on the stack. Throws an AbiError if types are cyclic. */
  width(): number;
  /** `slots` are as many as the type's width. */
  pop(slots: readonly StackValue[], work: Work): AbiValue;
  push(value: AbiValue, to: StackValue[], work: Work): void;
  /** As JSON: integers are decimal texts, addresses and bits texts, and cells bags of cells. */
  show(value: AbiValue, work: Work): unknown;
  parse(json: unknown, work: Work): AbiValue;
}

/** A kind whose values take one place on the stack. */
type Scalar = Omit<Kind, "width" | "pop" | "push"> & {
  fromSlot(slot: StackValue, work: Work): AbiValue;
  toSlot(value: AbiValue, work: Work): StackValue;
};

export function scalar({ fromSlot, toSlot, ...rest }: Scalar): Kind {
  return {
    ...rest,
    width: () => 1,
    pop: ([slot], work) => (slot ? fromSlot(slot, work) : work.refuse("the stack has too few values")),
    push: (value, to, work) => {
      to.push(toSlot(value, work));
    },
  };
}
