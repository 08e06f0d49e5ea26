import SQL, { raw } from "sql-template-tag";
import { hashPrefix } from "./tables/directories.js";
import { type Fragment, isOneOf } from "./where.js";

// Indexes have eight bytes of hashes and accounts instead of whole ones: conditions on these columns name the key, by which
// rows are found, and the value, which they must have.

/** The condition that a column of hashes has a value, for indexes on its `hash_prefix`. */
export function isHash(column: string, value: Fragment): Fragment {
  return hasKey("hash_prefix", column, value);
}

/** The condition that a column of hashes has one of some values, likewise. */
export function isOneOfHashes(column: string, values: readonly Uint8Array[]): Fragment {
  return SQL`${isOneOf(`hash_prefix(${column})`, values.map(hashPrefix))} and ${isOneOf(column, values)}`;
}

/** The condition that a column of accounts has a value, for indexes on its `account_key`. */
export function isAccount(column: string, value: Fragment): Fragment {
  return hasKey("account_key", column, value);
}

/** The condition that a column of accounts has none, for indexes on its `account_key`, which have these rows too. */
export function isNoAccount(column: string): Fragment {
  return raw(`account_key(${column}) is null and ${column} is null`);
}

/**
 * The condition that two columns of accounts have these values, for indexes on their `route_key`. `is not distinct from`
 * leaves the planner no index of one of them alone.
 */
export function isPair(columns: readonly [string, string], values: readonly [Fragment, Fragment]): Fragment {
  const [one, other] = columns.map((column) => raw(column));
  return SQL`route_key(${one}, ${other}) = route_key(${values[0]}, ${values[1]})
    and ${one} is not distinct from ${values[0]} and ${other} is not distinct from ${values[1]}`;
}

function hasKey(key: string, column: string, value: Fragment): Fragment {
  return SQL`${raw(`${key}(${column})`)} = ${raw(key)}(${value}) and ${raw(column)} = ${value}`;
}
