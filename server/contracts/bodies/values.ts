import { bytesToHex } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import { CellError } from "../../cells/cell-error.js";
import type { Slice } from "../../cells/slice.js";
import { readSnake } from "../../cells/snake.js";
import type { Reading } from "./reading.js";

/** Reads one value and tells it; `record` has the fields before it. Throws a CellError when it is not there. */
export type Reader = (from: Slice, reading: Reading, record: Readonly<Record<string, unknown>>) => unknown;

/** Readers of types that are not declared. */
const simple: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["Bool", (from) => from.loadBit()],
  ["Coins", (from) => from.loadCoins().toString()],
  ["VarUint32", (from) => from.loadVarUint(5).toString()],
  ["MsgAddress", (from) => from.loadAddress()?.toRawUpper() ?? null],
  ["MsgAddressExt", externalAddress],
  ["None", () => null],
  ["Never", refuse],
  ["ChunkedText", chunkedText],
  ["ShortText", (from) => utf8(from.loadBytes(from.loadUint(8)))],
  ["Text", (from, reading) => reading.told(utf8(snake(from)))],
  ["Bytes", (from, reading) => reading.told(bytesToHex(snake(from)).toUpperCase())],
  ["Cell", (from, reading) => reading.show(rest(from))],
  ["Payload", (from, reading) => reading.show(from.loadBit() ? from.loadRef() : rest(from))],
]);

/** `undefined` where the name is of no type known here. */
export function simpleReader(name: string): Reader | undefined {
  const [, kind, digits, prescribed] = /^(u?int|bits)(\d+)(?:=(\d+))?$/.exec(name) ?? [];
  if (kind === undefined) return simple.get(name);
  const bits = Number(digits);
  if (kind === "bits") return (from) => bitString(from, bits);
  const read = (from: Slice) => (kind === "int" ? from.loadBigInt(bits) : from.loadBigUint(bits)).toString();
  if (prescribed === undefined) return read;
  return (from) => {
    if (read(from) !== prescribed) throw new CellError("invalid", `a number is not ${prescribed}`);
    return prescribed;
  };
}

/** Everything that is left, as a cell. */
export function rest(from: Slice): Cell {
  const cell = from.toCell();
  from.skip(from.remainingBits).skipRefs(from.remainingRefs);
  return cell;
}

/** Bits as hexadecimal digits; `_` after them when a one and zeros were added to fill the last digit. */
export function bitString(from: Slice, bits: number): string {
  const digits = Math.ceil(bits / 4);
  const missing = digits * 4 - bits;
  let value = from.loadBigUint(bits);
  if (missing > 0) value = ((value << 1n) | 1n) << BigInt(missing - 1);
  const text = digits === 0 ? "" : value.toString(16).toUpperCase().padStart(digits, "0");
  return missing > 0 ? `${text}_` : text;
}

/** `addr_none$00` is null, `addr_extern$01 len:(## 9) external_address:(bits len)` its bits. */
function externalAddress(from: Slice): string | null {
  const tag = from.loadUint(2);
  if (tag > 1) throw new CellError("invalid", "an address is not an external one");
  return tag === 0 ? null : bitString(from, from.loadUint(9));
}

/**
 *     text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
 *     text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
 *     chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
 */
function chunkedText(from: Slice): string {
  const parts: Uint8Array[] = [];
  let chunk = from;
  for (let left = from.loadUint(8); left > 0; left--) {
    parts.push(chunk.loadBytes(chunk.loadUint(8)));
    if (left > 1) chunk = chunk.loadRef().parse();
  }
  return utf8(Buffer.concat(parts));
}

/** For an opcode whose bodies cannot be told apart: it has a name, but no body is of it. */
function refuse(): never {
  throw new CellError("invalid", "no body is of this scheme");
}

function snake(from: Slice): Uint8Array {
  const bytes = readSnake(from);
  if (!bytes || from.remainingRefs > 1) throw new CellError("invalid", "a text is not of whole bytes");
  rest(from);
  return bytes;
}

function utf8(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}
