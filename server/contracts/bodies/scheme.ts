import { bytesToBase64, bytesToHex } from "../../../shared/values/bytes.js";
import { serializeBoc } from "../../cells/boc.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { readSnake } from "../../cells/snake.js";

/** What a body says: `@type`, then the fields of its scheme; integers decimal, cells as bags or by what they say. */
export type Decoded = { "@type": string; [field: string]: unknown };

/** Shows a cell inside a body. */
type ShowCell = (cell: Cell) => unknown;
/** Reads one value off a body. */
type ReadValue = (from: Slice, show: ShowCell) => unknown;

export type Scheme = {
  readonly name: string;
  readonly opcode: number;
  readonly fields: readonly (readonly [name: string, read: ReadValue])[];
};

/** Reads lines `name#opcode field:Type …`; blank ones are left out. */
export function parseSchemes(text: string): Scheme[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map(parseScheme);
}

function parseScheme(line: string): Scheme {
  const [head = "", ...fields] = line.split(/ (?![^(]*\))/);
  const [name = "", opcode = ""] = head.split("#");
  return {
    name,
    opcode: Number.parseInt(opcode, 16),
    fields: fields.map((field) => {
      const colon = field.indexOf(":");
      return [field.slice(0, colon), readerOf(field.slice(colon + 1))] as const;
    }),
  };
}

function readerOf(type: string): ReadValue {
  const simple = readers.get(type);
  if (simple) return simple;
  const [, integer, bits] = /^(u?int|bits)(\d+)$/.exec(type) ?? [];
  if (integer !== undefined) return integerReader(integer, Number(bits));
  const [, kind, first, second] = /^\((\w+) (\S+)(?: (\S+))?\)$/.exec(type) ?? [];
  if (kind === "Maybe" && first !== undefined) {
    const read = readerOf(first);
    return (from, show) => (from.loadBit() ? read(from, show) : null);
  }
  if (kind === "Either" && first !== undefined && second !== undefined) {
    const [left, right] = [readerOf(first), readerOf(second)];
    return (from, show) => (from.loadBit() ? right(from, show) : left(from, show));
  }
  throw new TypeError(`${type} is no type of a body`);
}

function integerReader(kind: string, bits: number): ReadValue {
  if (kind === "uint") return (from) => from.loadBigUint(bits).toString();
  if (kind === "int") return (from) => from.loadBigInt(bits).toString();
  return (from) => bytesToHex(from.loadBytes(bits / 8)).toUpperCase();
}

const readers: ReadonlyMap<string, ReadValue> = new Map<string, ReadValue>([
  ["Bool", (from) => from.loadBit()],
  ["Coins", (from) => from.loadCoins().toString()],
  ["MsgAddress", (from) => from.loadAddress()?.toRawUpper() ?? null],
  ["Text", (from) => new TextDecoder("utf-8").decode(snake(from))],
  ["Bytes", (from) => bytesToHex(snake(from)).toUpperCase()],
  ["Cell", (from) => presentCell(rest(from))],
  ["^Cell", (from) => presentCell(from.loadRef())],
  ["Body", (from, show) => show(rest(from))],
  ["^Body", (from, show) => show(from.loadRef())],
]);

function rest(from: Slice): Cell {
  const cell = from.toCell();
  from.skip(from.remainingBits).skipRefs(from.remainingRefs);
  return cell;
}

function snake(from: Slice): Uint8Array {
  const bytes = readSnake(from);
  if (!bytes || from.remainingRefs > 1) throw new CellError("invalid", "a text is not of whole bytes");
  rest(from);
  return bytes;
}

export function presentCell(cell: Cell): string {
  return bytesToBase64(serializeBoc(cell, { crc32: false }));
}

/** `undefined` when the body is not of this scheme, or has more than it. */
export function readBy({ name, fields }: Scheme, body: Cell, show: ShowCell): Decoded | undefined {
  const from = body.parse().skip(32);
  const decoded: Decoded = { "@type": name };
  try {
    for (const [field, read] of fields) decoded[field] = read(from, show);
    from.end();
  } catch (error) {
    if (error instanceof CellError) return undefined;
    throw error;
  }
  return decoded;
}
