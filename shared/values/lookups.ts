// Reads of values that must exist. They throw if a value is missing, instead of returning `undefined`.

/** The item of a list at a place; negative places count from the end. */
export function itemAt<T>(list: ArrayLike<T>, place: number): Exclude<T, undefined> {
  const item = list[place < 0 ? list.length + place : place];
  if (item === undefined) throw new RangeError(`a list of ${list.length} has nothing at ${place}`);
  return item as Exclude<T, undefined>;
}

/** The first item of a list that passes a test. */
export function foundIn<T>(list: Iterable<T>, test: (item: T) => boolean): T {
  for (const item of list) if (test(item)) return item;
  throw new RangeError("no item of a list passes the test");
}

/** The value of a key in a map or dictionary. */
export function valueAt<K, V>(map: { get(key: K): V | undefined }, key: K): Exclude<V, undefined> {
  const value = map.get(key);
  if (value === undefined) throw new RangeError(`nothing is known by ${String(key)}`);
  return value as Exclude<V, undefined>;
}

/** A member of a record. */
export function memberOf<T>(
  record: Readonly<Record<string, T>>,
  name: string | number,
): Exclude<T, undefined> {
  const member = record[name];
  if (member === undefined) throw new RangeError(`a record has no ${String(name)}`);
  return member as Exclude<T, undefined>;
}

/** Removes the first item of a list and returns it. */
export function takeFirst<T>(list: T[]): Exclude<T, undefined> {
  const item = itemAt(list, 0);
  list.shift();
  return item;
}

/** Removes the oldest key of a map or set, if it has one. */
export function deleteOldest<K>(kept: { keys(): Iterator<K>; delete(key: K): unknown }): void {
  const { value, done } = kept.keys().next();
  if (!done) kept.delete(value);
}
