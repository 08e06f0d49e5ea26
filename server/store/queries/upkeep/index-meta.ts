import SQL from "sql-template-tag";
import type { Queries } from "../../database.js";

/**
 * Facts about the store itself, by key. `reindexed_to`: the lt that an unfinished `tonwire reindex-tokens` has reached.
 * `caught_up_at`: the block with which the index was level with the chain for the first time. `named_accounts`: how far an
 * unfinished `tonwire index --bootstrap` of named accounts is.
 */
export const metaKeys = [
  "zero_state_utime",
  "lt_grid",
  "redetection",
  "reindexed_to",
  "reclassification",
  "caught_up_at",
  "named_accounts",
] as const;

/** Also the chain of the index, and `import`: how far an unfinished `tonwire import-index` is. */
export type MetaKey = (typeof metaKeys)[number] | "network" | "zero_state" | "import";

/** The values of those keys that are set, in the order of the keys. */
export function readMeta<Key extends MetaKey>(
  queries: Queries,
  keys: readonly Key[],
): Promise<{ key: Key; value: string }[]> {
  return queries.query(SQL`select key, value from index_meta where key = any(${keys}) order by key`);
}

/** All values by their keys. */
export async function readAllMeta(queries: Queries): Promise<Partial<Record<MetaKey, string>>> {
  const rows = await queries.query<{ key: MetaKey; value: string }>(SQL`select key, value from index_meta`);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}

/** Sets a value, also in place of another one. */
export async function replaceMeta(queries: Queries, key: MetaKey, value: string): Promise<void> {
  await queries.query(SQL`
    insert into index_meta (key, value) values (${key}, ${value})
    on conflict (key) do update set value = excluded.value`);
}

/** Removes a value, if it is set. */
export async function deleteMeta(queries: Queries, key: MetaKey): Promise<void> {
  await queries.query(SQL`delete from index_meta where key = ${key}`);
}

/** Sets a value; one that is set already stays. */
export async function insertMeta(queries: Queries, key: MetaKey, value: string): Promise<void> {
  await queries.query(
    SQL`insert into index_meta (key, value) values (${key}, ${value}) on conflict do nothing`,
  );
}
