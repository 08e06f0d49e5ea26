import { beginCell } from "../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StackValue } from "../../../shared/ton/tvm/stack.js";

// Contracts in Tolk whose get-methods return their data: values of any types, in any number. So one code serves for
// every wrong answer that a kind of contract could give.

/** The behaviour of a get-method. `alternative`: it ends with exit code 1 and leaves these values. */
export type Reply =
  | readonly StackValue[]
  | { alternative: readonly StackValue[] }
  | { throws: number }
  | { neverEnds: true };

const maxMethods = 4;

const steps = { end: 0, alternative: 1, throws: 2, neverEnds: 3 } as const;
const types = { int: 4, null: 5, cell: 6, slice: 7, tuple: 8, nan: 9, builder: 10 } as const;

/** The code of a contract with these get-methods, each with its parameters. */
export function statingCode(...methods: readonly string[]): string {
  if (methods.length > maxMethods) throw new Error("a cell has no more references");
  return `
    fun tuple.spread(self, size: int): int asm "UNTUPLEVAR";
    fun tuple.spreadAside(self, size: int): int asm "UNTUPLEVAR" "RETALT";
    fun notANumber(): int asm "PUSHNAN";

    fun reply(place: int): int {
      var data = contract.getData().beginParse();
      repeat (place) { data.loadRef(); }
      var rest = data.loadRef().beginParse();
      var values = createEmptyTuple();
      var size = 0;
      var step = rest.loadUint(8);
      while (step > ${steps.neverEnds}) {
        if (step == ${types.int}) { values.push(rest.loadInt(257)); }
        if (step == ${types.null}) { values.push(null as int?); }
        if (step == ${types.cell}) { values.push(rest.loadRef()); }
        if (step == ${types.slice}) { values.push(rest.loadRef().beginParse()); }
        if (step == ${types.tuple}) { values.push(createEmptyTuple()); }
        if (step == ${types.nan}) { values.push(notANumber()); }
        if (step == ${types.builder}) { values.push(beginCell()); }
        size += 1;
        rest = rest.loadRef().beginParse();
        step = rest.loadUint(8);
      }
      if (step == ${steps.throws}) { throw rest.loadUint(16); }
      while (step == ${steps.neverEnds}) { size += 1; }
      if (step == ${steps.alternative}) { return values.spreadAside(size); }
      return values.spread(size);
    }
    ${methods.map((method, place) => `get fun ${method}: int { return reply(${place}); }`).join("\n")}
  `;
}

/** The data of a contract whose get-methods reply so; tuples and builders are empty. */
export function statedData(...replies: readonly Reply[]): Cell {
  const data = beginCell();
  for (const reply of replies) data.storeRef(replyCell(reply));
  return data.endCell();
}

function replyCell(reply: Reply): Cell {
  if ("throws" in reply) return beginCell().storeUint(steps.throws, 8).storeUint(reply.throws, 16).endCell();
  if ("neverEnds" in reply) return beginCell().storeUint(steps.neverEnds, 8).endCell();
  const [values, last] = "alternative" in reply ? [reply.alternative, steps.alternative] : [reply, steps.end];
  return values.reduceRight(
    (rest, value) => valueCell(value, rest),
    beginCell().storeUint(last, 8).endCell(),
  );
}

function valueCell(value: StackValue, rest: Cell): Cell {
  if (value.type === "continuation") throw new Error("these contracts state no continuations");
  const step = beginCell().storeUint(types[value.type], 8);
  if (value.type === "int") step.storeInt(value.value, 257);
  if (value.type === "cell" || value.type === "slice") step.storeRef(value.cell);
  return step.storeRef(rest).endCell();
}
