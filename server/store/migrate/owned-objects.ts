import SQL from "sql-template-tag";
import { SetupError } from "../../errors.js";
import { commitSequence } from "../cluster/commits.js";
import { dividedTogether } from "../cluster/divided-tables.js";
import type { Queries, Transaction } from "../database.js";
import { isDependedOn } from "../database-errors.js";
import { index, knownMigrations } from "../sql/schemas.js";
import { ownedTokens } from "../tables/owned-tokens.js";

type Kind = "table" | "view" | "function" | "sequence";

const ofDividing = [...dividedTogether.map(({ marks }) => marks), ownedTokens.name];

/** Objects that the schema of the index, and dividing it, create. Partitions go with their tables. */
function ownedNames(): Record<Kind, string[]> {
  const names = { table: new Set([index.ledger]), view: new Set<string>(), function: new Set<string>() };
  for (const { script } of knownMigrations())
    for (const [, kind, name] of script().matchAll(
      /\bcreate (?:or replace )?(table|view|function) (\w+)(?=[\s(])/g,
    ))
      names[kind as keyof typeof names].add(name!);
  return {
    table: [...names.table, ...ofDividing],
    view: [...names.view],
    function: [...names.function],
    sequence: [commitSequence],
  };
}

/** The tables of the index, without those that its slots and dividing it add. */
export function ownedTables(): string[] {
  return ownedNames().table.filter((name) => !ofDividing.includes(name));
}

const mostNamed = 10;

/**
 * Names of tables, views and sequences beside those of the index, ten at most. Those of extensions, and those that belong to a
 * table, are not among them.
 */
export async function foreignRelations(queries: Queries): Promise<string[]> {
  const { table, view, sequence } = ownedNames();
  const rows = await queries.query<{ name: string }>(SQL`
    with recursive owned as (
      select oid from pg_class
      where relnamespace = current_schema()::regnamespace and relname = any(${[...table, ...view, ...sequence]})
      union
      select inhrelid from pg_inherits join owned on inhparent = owned.oid
    )
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace
      and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
      and oid not in (select oid from owned)
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype in ('e', 'a', 'i')
          and (refclassid = 'pg_extension'::regclass or refclassid = 'pg_class'::regclass))
    order by relname limit ${mostNamed}`);
  return rows.map(({ name }) => name);
}

/** Drops the objects of the index, and no other: it is an error if another object depends on one. */
export async function dropOwned(transaction: Transaction): Promise<void> {
  const names = ownedNames();
  try {
    for (const kind of ["view", "table", "function", "sequence"] as const)
      await transaction.script(`drop ${kind} if exists ${names[kind].join(", ")}`);
  } catch (error) {
    if (!isDependedOn(error)) throw error;
    const { message, detail = message } = error as Error & { detail?: string };
    throw new SetupError(`the index cannot be removed: ${detail}. Drop what depends on it first`, {
      cause: error,
    });
  }
}
