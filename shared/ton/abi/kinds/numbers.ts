import { type Builder, beginCell } from "../../cells/builder.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { raw } from "./raw.js";

type Encoding = {
  load(from: Slice): bigint;
  store(value: bigint, to: Builder): void;
};

/** An integer that is encoded like this. */
function integer({ load, store }: Encoding): Kind {
  return scalar({
    load,
    store: (value, to, work) => store(integerOf(value, work), to),
    fromSlot: (slot, work) =>
      slot.type === "int" ? slot.value : work.refuse("the stack has no integer here"),
    toSlot: (value, work) => ({ type: "int", value: integerOf(value, work) }),
    show: (value, work) => work.shownInteger(integerOf(value, work)),
    parse: (json, work) => {
      const value = parseInteger(json, work);
      try {
        store(value, beginCell());
      } catch (error) {
        if (error instanceof CellError) return work.refuse(error.message);
        throw error;
      }
      return value;
    },
  });
}

export const intN = (bits: number): Kind =>
  integer({
    load: (from) => from.loadBigInt(bits),
    store: (value, to) => to.storeInt(value, bits),
  });

export const uintN = (bits: number): Kind =>
  integer({
    load: (from) => from.loadBigUint(bits),
    store: (value, to) => to.storeUint(value, bits),
  });

/** `VarInteger n` */
export const varintN = (n: number): Kind =>
  integer({
    load: (from) => from.loadVarInt(lengthBits(n)),
    store: (value, to) => to.storeVarInt(value, lengthBits(n)),
  });

/** `VarUInteger n` */
export const varuintN = (n: number): Kind =>
  integer({
    load: (from) => from.loadVarUint(lengthBits(n)),
    store: (value, to) => to.storeVarUint(value, lengthBits(n)),
  });

export const coins: Kind = varuintN(16);

/** An integer of the machine, which has no encoding in cells. */
export const int: Kind = { ...intN(257), load: raw.load, store: raw.store };

export const bool: Kind = scalar({
  load: (from) => from.loadBit(),
  store: (value, to, work) => to.storeBit(boolOf(value, work)),
  fromSlot: (slot, work) =>
    slot.type === "int" ? slot.value !== 0n : work.refuse("the stack has no bool here"),
  toSlot: (value, work) => ({ type: "int", value: boolOf(value, work) ? -1n : 0n }),
  show: (value) => value,
  // Keys of maps are texts.
  parse: (json, work) => boolOf(json === "true" ? true : json === "false" ? false : json, work),
});

function boolOf(value: unknown, work: Work): boolean {
  return typeof value === "boolean" ? value : work.refuse("expected true or false");
}

function lengthBits(n: number): number {
  return 32 - Math.clz32(n - 1);
}

export function integerOf(value: AbiValue, work: Work): bigint {
  return typeof value === "bigint" ? value : work.refuse("expected an integer");
}

/** At most 257 bits, in hex or decimal, or a JSON number that is exact. */
export function parseInteger(json: unknown, work: Work): bigint {
  if (typeof json === "bigint") return json;
  if (typeof json === "number" && Number.isSafeInteger(json)) return BigInt(json);
  const [, sign, digits = ""] =
    (typeof json === "string" && /^(-?)(0x[0-9a-f]{1,65}|\d{1,78})$/i.exec(json)) || [];
  if (digits === "") return work.refuse("expected an integer, as decimal or hex text");
  return sign === "-" ? -BigInt(digits) : BigInt(digits);
}
