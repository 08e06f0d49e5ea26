import type { CellReader } from "./cell-reader.js";
import { account, coins, count, type Row, text, type Value, yesNo } from "./values.js";

/** Reads one field. */
export type Read = (reader: CellReader) => Value;

/** Fields by their names in words, in the order of the layout. A field without a name is not shown. */
export type Layout = readonly (readonly [label: string, read: Read])[];

export function rowsOf(layout: Layout, reader: CellReader): Row[] {
  return layout.map(([label, read]): Row => [label, read(reader)]).filter(([label]) => label !== "");
}

/** Reads the layout of the first of some tags, which are in hex, or in bits after `0b`. */
export function tagged(...variants: readonly (readonly [tag: string, layout: Layout])[]) {
  return (reader: CellReader): Row[] => {
    for (const [tag, layout] of variants) {
      const bits = tag.startsWith("0b")
        ? tag.slice(2)
        : tag.replace(/./g, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0"));
      if (!reader.startsWith(bits)) continue;
      reader.bits(bits.length);
      return rowsOf(layout, reader);
    }
    throw new TypeError("the value has an unknown tag");
  };
}

export const uint =
  (length: number, unit?: string): Read =>
  (reader) =>
    count(reader.uint(length), unit);
export const u8 = uint(8);
export const u16 = uint(16);
export const u32 = uint(32);
export const i32: Read = (reader) => count(reader.int(32));
export const bytes = uint(32, "bytes");
export const bits = uint(32, "bits");
export const cells = uint(32, "cells");
export const gas = uint(64, "gas");
export const milliseconds = uint(32, "ms");
export const seconds: Read = (reader) => ({ kind: "duration", seconds: reader.number(32) });
export const time: Read = (reader) => ({ kind: "time", seconds: reader.number(32) });
export const grams: Read = (reader) => coins(reader.variable(4));
/** An amount in 64 bits. */
export const nanotons: Read = (reader) => coins(reader.uint(64));
/** A price in 64 bits, in nanotons for 65,536 units. */
export const price = uint(64, "/ 65,536 nanotons");
export const bool: Read = (reader) => yesNo(reader.bool());
export const hash: Read = (reader) => ({ kind: "hash", hex: reader.hex(32) });
export const masterchainAccount: Read = (reader) => account(`-1:${reader.hex(32)}`);
/** A number in units of 1/65,536. */
export const factor =
  (length: number): Read =>
  (reader) =>
    text(String(reader.number(length) / 65_536));
export const optional =
  (read: Read): Read =>
  (reader) =>
    reader.bool() ? read(reader) : text("none");
export const inCell =
  (read: (reader: CellReader) => Row[]): Read =>
  (reader) => ({ kind: "rows", rows: read(reader.opened()) });
