import { bytesToHex } from "../../../values/bytes.js";
import { bitsOfText, bitsText } from "../../bodies/bits-text.js";
import { bits } from "../../bodies/simple.js";
import { BitString } from "../../bodies/value.js";
import { beginCell } from "../../cells/builder.js";
import { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import { readSnake } from "../../cells/snake.js";
import { type Kind, scalar } from "../kind.js";
import type { AbiValue } from "../value.js";
import type { Work } from "../work.js";
import { cellInSlot } from "./raw.js";

/** Bytes of a full cell. */
const cellBytes = 127;
/** A text of this many bytes is a chain of cells as deep as a contract can read. */
const maxTextBytes = cellBytes * 512;

/** UTF-8 in snake format, in a cell of its own. Tolk has the cell on the stack, Tact a slice. */
export const text = (slot: "cell" | "slice"): Kind =>
  scalar({
    load: (from, work) => textIn(from.loadRef(), work),
    store: (value, to, work) => to.storeRef(cellOfText(value, work)),
    fromSlot: (given, work) => textIn(cellInSlot(given, work), work),
    toSlot: (value, work) => ({ type: slot, cell: cellOfText(value, work) }),
    show: (value) => value,
    parse: (json, work) => (typeof json === "string" ? json : work.refuse("expected a text")),
  });

function textIn(cell: Cell, work: Work): string {
  if (cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
  const bytes = readSnake(cell.parse());
  if (!bytes) throw new CellError("invalid", "a text is not of whole bytes");
  work.spend(bytes.length);
  return new TextDecoder("utf-8").decode(bytes);
}

function cellOfText(value: AbiValue, work: Work): Cell {
  const bytes = new TextEncoder().encode(typeof value === "string" ? value : work.refuse("expected a text"));
  if (bytes.length > maxTextBytes) return work.refuse(`a text has at most ${maxTextBytes} bytes`);
  let tail: Cell | undefined;
  for (let at = Math.floor(Math.max(bytes.length - 1, 0) / cellBytes) * cellBytes; at >= 0; at -= cellBytes) {
    const part = beginCell().storeBytes(bytes.subarray(at, at + cellBytes));
    tail = (tail ? part.storeRef(tail) : part).endCell();
  }
  return tail ?? Cell.empty;
}

export function showBits(value: Uint8Array | BitString, { form }: Work): unknown {
  if (form !== "ton-center") return bitsText(value);
  if (value instanceof Uint8Array) return { bits: value.length * 8, hex: bytesToHex(value) };
  const digits = Math.ceil(value.length / 8) * 2;
  const filled = value.value << BigInt(digits * 4 - value.length);
  return { bits: value.length, hex: digits === 0 ? "" : filled.toString(16).padStart(digits, "0") };
}

/** A number of bits, as hex. */
export const bitsN = (length: number): Kind => {
  const check = (value: AbiValue, work: Work): Uint8Array | BitString => {
    const given =
      value instanceof Uint8Array ? value.length * 8 : value instanceof BitString ? value.length : -1;
    if (given !== length) return work.refuse(`expected ${length} bits`);
    return value as Uint8Array | BitString;
  };
  const store = (value: Uint8Array | BitString) =>
    value instanceof Uint8Array
      ? beginCell().storeBytes(value)
      : beginCell().storeUint(value.value, value.length);
  return scalar({
    load: (from) => bits(from, length),
    store: (value, to, work) => to.storeBuilder(store(check(value, work))),
    fromSlot: (slot, work) => {
      const from = cellInSlot(slot, work).parse();
      const value = bits(from, length);
      from.end();
      return value;
    },
    toSlot: (value, work) => ({ type: "slice", cell: store(check(value, work)).endCell() }),
    show: (value, work) => showBits(value as Uint8Array | BitString, work),
    parse: (json, work) => {
      const given = typeof json === "string" ? bitsOfText(json) : undefined;
      const whole = given && length % 8 === 0 && given.length === length;
      return check(
        whole
          ? beginCell()
              .storeUint(given.value, length)
              .endCell()
              .parse()
              .loadBytes(length / 8)
          : given,
        work,
      );
    },
  });
};
