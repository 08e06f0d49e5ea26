import { Address } from "../../values/address.js";
import { joinBytes } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import type { Slice } from "../cells/slice.js";
import { readSnake } from "../cells/snake.js";
import type { Budget } from "./budget.js";
import { BitString, type Fields, type Value } from "./value.js";

/** Reads one value; `record` has the fields before it. Throws a CellError if the cell does not hold such a value. */
export type Reader = (from: Slice, budget: Budget, record: Fields) => Value;

/** Readers of built-in types without a number in their name. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["Bool", (from) => from.loadBit()],
  ["Coins", (from) => from.loadCoins()],
  ["VarUint32", (from) => from.loadVarUint(5)],
  ["MsgAddress", (from) => from.loadAddress()],
  ["MsgAddressInt", accountAddress],
  ["MsgAddressExt", externalAddress],
  ["AnyAddress", anyAddress],
  ["None", () => undefined],
  ["Never", refuse],
  ["End", end],
  ["ChunkedText", chunkedText],
  ["ShortText", (from) => utf8(from.loadBytes(from.loadUint(8)))],
  ["Text", text],
  ["Bytes", bytes],
  ["Cell", rest],
  ["Payload", (from) => (from.loadBit() ? from.loadRef() : rest(from))],
]);

/** The reader of a built-in type; `undefined` if there is none of this name. */
export function simpleReader(name: string): Reader | undefined {
  const [, kind, digits, prescribed] = /^(u?int|bits)(\d+)(?:=(\d+))?$/.exec(name) ?? [];
  if (kind === undefined) return readers.get(name);
  const length = Number(digits);
  if (kind === "bits") return (from) => bits(from, length);
  const read = (from: Slice) => (kind === "int" ? from.loadBigInt(length) : from.loadBigUint(length));
  if (prescribed === undefined) return read;
  const expected = BigInt(prescribed);
  return (from) => {
    if (read(from) !== expected) throw new CellError("invalid", `a number is not ${prescribed}`);
    return expected;
  };
}

/** Takes everything that is left, as a cell. */
export function rest(from: Slice): Cell {
  const cell = from.toCell();
  from.skip(from.remainingBits).skipRefs(from.remainingRefs);
  return cell;
}

/** Bytes if the length is a multiple of 8. */
export function bits(from: Slice, length: number): Uint8Array | BitString {
  return length % 8 === 0 ? from.loadBytes(length / 8) : new BitString(from.loadBigUint(length), length);
}

/** Not `addr_none`. */
function accountAddress(from: Slice): Address {
  const address = from.loadAddress();
  if (address === undefined) throw new CellError("invalid", "an address is missing");
  return address;
}

/** `addr_none$00` is `undefined`, `addr_extern$01 len:(## 9) external_address:(bits len)` its bits. */
function externalAddress(from: Slice): BitString | undefined {
  const tag = from.loadUint(2);
  if (tag > 1) throw new CellError("invalid", "an address is not an external one");
  if (tag === 0) return undefined;
  const length = from.loadUint(9);
  return new BitString(from.loadBigUint(length), length);
}

/** An address of any form. Only `addr_std` has a value; the others are passed over. */
function anyAddress(from: Slice): Address | undefined {
  const tag = from.preloadUint(2);
  if (tag === 0) return from.loadAddress();
  if (tag === 1) {
    externalAddress(from);
    return undefined;
  }
  from.skip(2);
  if (from.loadBit()) skipAnycast(from);
  if (tag === 2) return new Address(from.loadInt(8), from.loadBytes(32));
  from.skip(from.loadUint(9) + 32);
  return undefined;
}

/** `anycast_info$_ depth:(#<= 30) { depth >= 1 } rewrite_pfx:(bits depth) = Anycast;` */
function skipAnycast(from: Slice): void {
  const depth = from.loadUint(5);
  if (depth < 1 || depth > 30) throw new CellError("invalid", "an address has no anycast of this depth");
  from.skip(depth);
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
  return utf8(joinBytes(parts));
}

/** Rejects every body: for opcodes with a name whose bodies are indistinguishable. */
function refuse(): never {
  throw new CellError("invalid", "no body has this scheme");
}

/** Rejects bodies with trailing data, because the shorter scheme would also fit other contracts' bodies: `_:End`. */
function end(from: Slice): Fields {
  from.end();
  return {};
}

function text(from: Slice, budget: Budget): string {
  const read = utf8(snake(from));
  budget.spend(read.length);
  return read;
}

function bytes(from: Slice, budget: Budget): Uint8Array {
  const read = snake(from);
  // Their wire text is hex.
  budget.spend(2 * read.length);
  return read;
}

function snake(from: Slice): Uint8Array {
  const read = readSnake(from);
  if (!read || from.remainingRefs > 1) throw new CellError("invalid", "a text is not of whole bytes");
  rest(from);
  return read;
}

function utf8(encoded: Uint8Array): string {
  return new TextDecoder("utf-8").decode(encoded);
}
