import SQL, { raw } from "sql-template-tag";
import { ServiceError, SetupError } from "../../errors.js";
import type { Queries, Transaction } from "../database.js";
import { isReadOnly } from "../database-errors.js";
import { oneRow } from "../sql/one-row.js";
import { index, type Migration, type Schema } from "../sql/schemas.js";
import { foreignRelations } from "./owned-objects.js";

/** The database was written by a later version of the program. */
export class NewerSchemaError extends SetupError {
  override readonly name = "NewerSchemaError";
}

/** The database cannot be brought to the schema of this version. It is as it was. */
export class MigrationError extends SetupError {
  override readonly name = "MigrationError";
}

/** Whether migrations were applied to the schema at any time. */
export async function hasLedger(queries: Queries, schema: Schema): Promise<boolean> {
  return (await columnsOf(queries, schema)).length > 0;
}

/** The columns of the ledger, if it is there. Other programs name a table `schema_migrations` too. */
async function columnsOf(queries: Queries, { ledger }: Schema): Promise<string[]> {
  const columns = await queries.query<{ name: string }>(SQL`
    select attname as name from pg_attribute
    where attrelid = to_regclass(${ledger}) and attnum > 0 and not attisdropped`);
  const names = columns.map(({ name }) => name);
  if (names.length > 0 && !names.includes("number")) throw foreignTables([ledger]);
  return names;
}

type NamedMigration = Pick<Migration, "number" | "name">;

export type AppliedMigration = NamedMigration & {
  /** The least migration that a version must know to read what this one made; `null` for none but versions that know it. */
  readonly usable_by: number | null;
};

/** The migrations of a ledger of any version, oldest first. */
export function readNames(queries: Queries, { ledger }: Schema): Promise<NamedMigration[]> {
  return queries.query(SQL`select number, name from ${raw(ledger)} order by number`);
}

/** The migrations that the database has, oldest first. Throws `MigrationError` for the ledger of an unreleased version. */
export async function readApplied(
  queries: Queries,
  schema: Schema,
  emptyCommand: string,
): Promise<AppliedMigration[]> {
  const columns = await columnsOf(queries, schema);
  if (columns.length === 0) return [];
  if (!columns.includes("usable_by"))
    throw ofUnreleased(schema, { sign: `${schema.ledger} has no usable_by`, emptyCommand });
  return queries.query(SQL`select number, name, usable_by from ${raw(schema.ledger)} order by number`);
}

/** A refusal with what to do. `sign`: what the unreleased version is known by. */
export function ofUnreleased(
  { name }: Schema,
  { sign, emptyCommand }: { sign: string; emptyCommand: string },
): MigrationError {
  const made = name === undefined ? "the index in the database" : `the schema ${name} of the database`;
  const remedy =
    name === undefined
      ? buildAnew(emptyCommand)
      : `. To go on without its webhooks, API keys and sent messages: drop schema ${name} cascade, ` +
        "or remove the folder index in the data folder, then start again";
  return new MigrationError(
    `${made} was made by an unreleased version (${sign}), and this version cannot migrate it${remedy}`,
  );
}

/** For the message of a refusal: how the index is built anew. */
export function buildAnew(emptyCommand: string): string {
  return `. Build the index anew: ${emptyCommand}, then start again (webhooks are kept)`;
}

/** The first migration that is not the one of this version. Released ones never change, so an unreleased version applied it. */
export function unreleasedOne(
  applied: readonly NamedMigration[],
  known: readonly Migration[],
): NamedMigration | undefined {
  return applied.find(
    ({ number, name }, i) => known[i] && (known[i].number !== number || known[i].name !== name),
  );
}

/** Whether a later version has added migrations to those of this one. */
export function isNewer(applied: readonly NamedMigration[], known: readonly Migration[]): boolean {
  return applied.length > known.length && !unreleasedOne(applied, known);
}

/** Whether a version may read the tables although later versions have changed them, by what these have noted. */
export function isReadable(applied: readonly AppliedMigration[], known: readonly Migration[]): boolean {
  const newest = known.at(-1)?.number;
  return (
    newest !== undefined &&
    isNewer(applied, known) &&
    applied.slice(known.length).every(({ usable_by }) => usable_by !== null && usable_by <= newest)
  );
}

const namedRelations = 3;

/** Refuses a database in which another program has tables, unless the index has been in it. */
export async function refuseForeign(queries: Queries): Promise<void> {
  if (await hasLedger(queries, index)) return;
  const names = await foreignRelations(queries);
  if (names.length > 0) throw foreignTables(names);
}

function foreignTables(names: readonly string[]): MigrationError {
  const listed = names.slice(0, namedRelations).join(", ");
  const others = names.length > namedRelations ? " and others" : "";
  return new MigrationError(
    `the database has tables of another program: ${listed}${others}. ` +
      "Give tonwire a database of its own: run create database tonwire, and name it in the URL",
  );
}

export async function makeLedger(transaction: Transaction, { name, ledger }: Schema): Promise<void> {
  if (name !== undefined) await makeSchema(transaction, name);
  await transaction.script(
    `create table if not exists ${ledger}
     (number integer primary key, name text not null, usable_by integer, applied_at timestamptz not null default now())`,
  );
}

/** If it exists, no privilege is needed: an operator may have created it for the user of the service. */
async function makeSchema(transaction: Transaction, name: string): Promise<void> {
  const found = await oneRow<{ found: boolean }>(
    transaction,
    SQL`select exists (select from pg_namespace where nspname = ${name}) as found`,
  );
  if (found.found) return;
  try {
    await transaction.script(`create schema ${name}`);
  } catch (error) {
    if (error instanceof ServiceError || isReadOnly(error)) throw error;
    throw new MigrationError(
      `the schema ${name} cannot be created: ${(error as Error).message}. Let the owner of the database run: ` +
        `create schema ${name} authorization <the user of the service>`,
      { cause: error },
    );
  }
}
