import { CellError } from "../cells/cell-error.js";
import { Dictionary } from "../cells/dictionaries/dictionary.js";
import type { KeyCodec } from "../cells/dictionaries/dictionary-codec.js";
import type { Slice } from "../cells/slice.js";
import type { Budget } from "./budget.js";
import { bits, type Reader, rest } from "./simple.js";
import type { DictionaryKey, Value } from "./value.js";

/** One of several ways to read a cell. Without its tag, which is checked first, it is not tried. */
export type Alternative<T> = {
  readonly tag: number;
  readonly tagBits: number;
  /** Reads the data after the tag; throws a CellError if they do not fit. */
  readonly read: (from: Slice, budget: Budget, record: Record<string, never>) => T;
};

/** The result of the first alternative that fits; with `isWhole` it must read all that is left. */
export function firstThatFits<T>(
  alternatives: readonly Alternative<T>[],
  from: Slice,
  budget: Budget,
  isWhole = false,
): T {
  for (const { tag, tagBits, read } of alternatives) {
    if (from.remainingBits < tagBits || from.preloadUint(tagBits) !== tag) continue;
    const attempt = from.clone().skip(tagBits);
    try {
      const value = budget.attempt(() => {
        const result = read(attempt, budget, {});
        if (isWhole) attempt.end();
        return result;
      });
      from.skip(from.remainingBits - attempt.remainingBits);
      from.skipRefs(from.remainingRefs - attempt.remainingRefs);
      return value;
    } catch (error) {
      if (!(error instanceof CellError)) throw error;
    }
  }
  throw new CellError("invalid", "no constructor fits");
}

/** `Maybe T` */
export function maybe(read: Reader): Reader {
  return (from, budget, record) => (from.loadBit() ? read(from, budget, record) : undefined);
}

/** `Either T U`: the value of either. */
export function either(left: Reader, right: Reader): Reader {
  return (from, budget, record) => (from.loadBit() ? right : left)(from, budget, record);
}

/** `^T`: a cell that holds one of the alternatives and nothing else. */
export function reference(alternatives: readonly Alternative<Value>[]): Reader {
  return (from, budget) => {
    const cell = from.loadRef();
    if (cell.exotic) throw new CellError("invalid", "an ordinary cell is expected");
    return budget.follow(() => firstThatFits(alternatives, cell.parse(), budget, true));
  };
}

/** `^Cell` */
export const anyReference: Reader = (from) => from.loadRef();

/** `If field T`: `undefined` where that field of the record is zero or false. */
export function dependent(field: string, read: Reader): Reader {
  return (from, budget, record) => {
    const condition = record[field];
    return condition === 0n || condition === false ? undefined : read(from, budget, record);
  };
}

/** `HashmapE n T` or, as the rest of a cell, `Hashmap n T`. */
export function dictionary(keyBits: number, read: Reader, isInPlace: boolean): Reader {
  const keys: KeyCodec<DictionaryKey> = {
    bits: keyBits,
    store: refuse,
    load: (from) => loadKey(from, keyBits),
  };
  const values = { store: refuse, load: (from: Slice) => from.clone() };
  return (from, budget) => {
    const entries = isInPlace
      ? Dictionary.loadDirect(rest(from), keys, values)
      : Dictionary.load(from, keys, values);
    const found = new Map<DictionaryKey, Value>();
    for (const [key, leaf] of entries.entries()) {
      budget.spendValue();
      found.set(key, read(leaf, budget, {}));
      leaf.end();
    }
    return found;
  };
}

/** `Many T`: one after another until nothing is left. */
export function many(read: Reader): Reader {
  return (from, budget) => {
    const values: Value[] = [];
    while (from.remainingBits > 0 || from.remainingRefs > 0) {
      budget.spendValue();
      values.push(read(from, budget, {}));
    }
    return values;
  };
}

/** `Chain T`: one value in each cell, and the next cell in its last reference. */
export function chain(read: Reader): Reader {
  return (from, budget) => {
    const values = [read(from, budget, {})];
    let last = from;
    while (last.remainingRefs > 0) {
      budget.spendValue();
      last = last.loadRef().parse();
      values.push(read(last, budget, {}));
      if (last.remainingBits > 0 || last.remainingRefs > 1)
        throw new CellError("invalid", "a cell of a chain has more than a value and the next cell");
    }
    return values;
  };
}

/** `Chunks field T`: as many as the field says, in a chain of cells: perhaps the next cell, then values to the end of the cell. */
export function chunks(field: string, read: Reader): Reader {
  const readAll = many(read);
  return (from, budget, record) => {
    const values: Value[] = [];
    let next = from.loadMaybeRef();
    while (next) {
      if (next.exotic) throw new CellError("invalid", "an ordinary cell is expected");
      budget.spendValue();
      const chunk = next.parse();
      next = chunk.loadMaybeRef();
      values.push(...(readAll(chunk, budget, {}) as readonly Value[]));
    }
    if (BigInt(values.length) !== record[field])
      throw new CellError("invalid", "a list has another number of values than it says");
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
  return (from, budget) => {
    const values: Value[] = [];
    for (let list = rest(from); list.bits > 0 || list.refCount > 0; ) {
      const node = list.parse();
      list = node.loadRef();
      budget.spendValue();
      values.push(read(node, budget, {}));
      node.end();
    }
    return values.reverse();
  };
}

function loadKey(from: Slice, length: number): DictionaryKey {
  if (length <= 64) return from.loadBigUint(length);
  return (length === 267 && from.loadAddress()) || bits(from, length);
}

function refuse(): never {
  throw new TypeError("bodies are only read");
}
