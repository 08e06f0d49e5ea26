import { CellError } from "../../cells/cell-error.js";
import { Dictionary, type KeyCodec } from "../../cells/dictionary.js";
import type { Slice } from "../../cells/slice.js";
import type { Reading } from "./reading.js";
import { bitString, type Reader, rest } from "./values.js";

/** What telling a value costs beside its text: names, quotes, commas. */
export const valueCost = 16;

/** The first of several readers that finds what it wants, and where `check` is given, leaves what that wants. */
export function firstThatFits(
  readers: readonly Reader[],
  from: Slice,
  reading: Reading,
  check?: (left: Slice) => void,
): unknown {
  for (const read of readers) {
    const attempt = from.clone();
    try {
      const value = read(attempt, reading, {});
      check?.(attempt);
      from.skip(from.remainingBits - attempt.remainingBits);
      from.skipRefs(from.remainingRefs - attempt.remainingRefs);
      return value;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
    }
  }
  throw new CellError("invalid", "no constructor fits");
}

/** `Maybe T`: null, or the value. */
export function maybe(read: Reader): Reader {
  return (from, reading, record) => (from.loadBit() ? read(from, reading, record) : null);
}

/** `Either T U`: the value, whichever it is. */
export function either(left: Reader, right: Reader): Reader {
  return (from, reading, record) => (from.loadBit() ? right : left)(from, reading, record);
}

/** `^T`: a cell with one of its constructors and nothing else. */
export function reference(readers: readonly Reader[]): Reader {
  return (from, reading) => {
    const cell = from.loadRef();
    if (cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
    return reading.follow(() => firstThatFits(readers, cell.parse(), reading, (left) => left.end()));
  };
}

/** `^Cell` */
export const anyReference: Reader = (from, reading) => reading.show(from.loadRef());

/** `If field T`: null where that field of the record is zero or false. */
export function dependent(field: string, read: Reader): Reader {
  return (from, reading, record) => {
    const condition = record[field];
    return condition === "0" || condition === false ? null : read(from, reading, record);
  };
}

/** `HashmapE n T` or, as the rest of a cell, `Hashmap n T`; told as an object. */
export function dictionary(keyBits: number, read: Reader, isInPlace: boolean): Reader {
  const keys: KeyCodec<string> = { bits: keyBits, store: refuse, load: (from) => keyText(from, keyBits) };
  const values = { store: refuse, load: (from: Slice) => from.clone() };
  return (from, reading) => {
    const entries = isInPlace
      ? Dictionary.loadDirect(rest(from), keys, values)
      : Dictionary.load(from, keys, values);
    const told: Record<string, unknown> = {};
    for (const [key, leaf] of entries.entries()) {
      reading.spend(valueCost + key.length);
      told[key] = read(leaf, reading, {});
      leaf.end();
    }
    return told;
  };
}

/** `Many T`: one after another until nothing is left. */
export function many(read: Reader): Reader {
  return (from, reading) => {
    const values: unknown[] = [];
    while (from.remainingBits > 0 || from.remainingRefs > 0) {
      reading.spend(valueCost);
      values.push(read(from, reading, {}));
    }
    return values;
  };
}

/** `Chain T`: one value in each cell, and the next cell in its last reference. */
export function chain(read: Reader): Reader {
  return (from, reading) => {
    const values = [read(from, reading, {})];
    let last = from;
    while (last.remainingRefs > 0) {
      reading.spend(valueCost);
      last = last.loadRef().parse();
      values.push(read(last, reading, {}));
      if (last.remainingBits > 0 || last.remainingRefs > 1)
        throw new CellError("invalid", "a chain has more");
    }
    return values;
  };
}

/**
 * `Actions T`, first to last:
 *
 *     out_list_empty$_ = OutList 0;
 *     out_list$_ {n:#} prev:^(OutList n) action:OutAction = OutList (n + 1);
 */
export function actions(read: Reader): Reader {
  return (from, reading) => {
    const values: unknown[] = [];
    for (let list = rest(from); list.bits > 0 || list.refCount > 0; ) {
      const node = list.parse();
      list = node.loadRef();
      reading.spend(valueCost);
      values.push(read(node, reading, {}));
      node.end();
    }
    return values.reverse();
  };
}

/** Addresses and numbers as such, other keys as their bits. */
function keyText(from: Slice, bits: number): string {
  if (bits <= 64) return from.loadBigUint(bits).toString();
  return (bits === 267 && from.loadAddress()?.toRawUpper()) || bitString(from, bits);
}

function refuse(): never {
  throw new TypeError("bodies are only read");
}
