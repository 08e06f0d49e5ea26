import SQL, { join, raw } from "sql-template-tag";
import { hashPrefix } from "../tables/directories.js";
import { all, type Fragment, isOneOf } from "./where.js";

// Indexes have eight bytes of hashes and accounts instead of whole ones: conditions on these columns name the key, by which
// rows are found, and the value, which they must have.

/** How an index finds rows: by expressions with these values. Keys are not unique, so rows must be something `also`. */
export type Found = {
  readonly keys: readonly string[];
  readonly values: readonly Fragment[];
  readonly also?: Fragment;
};

/** The condition that rows are found. */
export function isFound({ keys, values, also }: Found): Fragment {
  return all(...keys.map((key, at) => SQL`${raw(key)} = ${values[at]}`), also);
}

/** The same within bounds of the column that the index has next, in words that bound no index of this column alone. */
export function isFoundWithin(found: Found, column: string, bounds: readonly [unknown, unknown]): Fragment {
  return all(isFound(found), isInRange(found, column, bounds));
}

/** The same where the planner does not see that keys are equal: only their index has rows in the order of keys and column. */
export function isInRange(found: Found, column: string, [from, to]: readonly [unknown, unknown]): Fragment {
  const row = raw(`(${[...found.keys, column].join(", ")})`);
  const at = (value: unknown) => join([...found.values, value]);
  return all(found.also, SQL`${row} >= (${at(from)}) and ${row} <= (${at(to)})`);
}

/** A column of hashes with a value, by its `hash_prefix`. */
export function byHash(column: string, value: Fragment): Found {
  return byKey("hash_prefix", column, value);
}

/** A column of accounts with a value, by its `account_key`. */
export function byAccount(column: string, value: Fragment): Found {
  return byKey("account_key", column, value);
}

/** Two columns of accounts with these values, by their `route_key`. */
export function byPair(columns: readonly [string, string], values: readonly [Fragment, Fragment]): Found {
  const [one, other] = columns.map((column) => raw(column));
  return {
    keys: [`route_key(${columns.join(", ")})`],
    values: [SQL`route_key(${values[0]}, ${values[1]})`],
    // These words leave the planner no index of one of them alone.
    also: SQL`${one} is not distinct from ${values[0]} and ${other} is not distinct from ${values[1]}`,
  };
}

/** An account, or none, and an opcode, by their `opcode_key`. */
export function byOpcodeOf(columns: readonly [string, string], values: readonly [Fragment, Fragment]): Found {
  const [account, opcode] = [raw(columns[0]), raw(columns[1])];
  return {
    keys: [`opcode_key(${columns.join(", ")})`],
    values: [SQL`opcode_key(${values[0]}, ${values[1]})`],
    also: SQL`${opcode} is not null
      and ${account} is not distinct from ${values[0]} and ${opcode} is not distinct from ${values[1]}`,
  };
}

/** The condition that a column of hashes has a value, for indexes on its `hash_prefix`. */
export function isHash(column: string, value: Fragment): Fragment {
  return isFound(byHash(column, value));
}

/** The condition that a column of hashes has one of some values, likewise. */
export function isOneOfHashes(column: string, values: readonly Uint8Array[]): Fragment {
  return SQL`${isOneOf(`hash_prefix(${column})`, values.map(hashPrefix))} and ${isOneOf(column, values)}`;
}

/** The condition that a column of accounts has a value, for indexes on its `account_key`. */
export function isAccount(column: string, value: Fragment): Fragment {
  return isFound(byAccount(column, value));
}

/** The condition that a column of accounts has none, for indexes on its `account_key`, which have these rows too. */
export function isNoAccount(column: string): Fragment {
  return raw(`account_key(${column}) is null and ${column} is null`);
}

/** The condition that two columns of accounts have these values, for indexes on their `route_key`. */
export function isPair(columns: readonly [string, string], values: readonly [Fragment, Fragment]): Fragment {
  return isFound(byPair(columns, values));
}

function byKey(key: string, column: string, value: Fragment): Found {
  return {
    keys: [`${key}(${column})`],
    values: [SQL`${raw(key)}(${value})`],
    also: SQL`${raw(column)} = ${value}`,
  };
}
