import SQL, { raw } from "sql-template-tag";
import { ServiceError } from "../errors.js";
import type { Queries, Sql, Transaction } from "./database.js";
import { isReadOnly } from "./database-errors.js";
import {
  lastApplied,
  MigrationError,
  makeLedger,
  NewerSchemaError,
  readApplied,
  refuseForeign,
} from "./ledger.js";
import { lockForTransaction } from "./queries/locks.js";
import { index, kept, keptMigrations, knownMigrations, type Migration, type Schema } from "./schemas.js";

export type MigrateOptions = {
  /** What the schema of the index is made of; by default all that this version knows. */
  migrations?: readonly Migration[];
  /** The command that empties the index, for the message of a refusal. */
  emptyCommand?: string;
  /** Called before each step that changes a database with an index in it. */
  onProgress?: (text: string) => void;
};

/**
 * Applies missing migrations, each in a transaction: when the process is killed, the next start continues. Concurrent
 * processes are safe: one applies a migration, the others wait for it. Throws `NewerSchemaError` and `MigrationError`.
 */
export async function migrate(database: Sql, { migrations, ...options }: MigrateOptions = {}): Promise<void> {
  // The index comes first: a database with tables of another program is refused before anything is created in it.
  await migrateSchema(database, index, migrations ?? knownMigrations(), options);
  await migrateSchema(database, kept, keptMigrations(), options);
}

async function migrateSchema(
  database: Sql,
  schema: Schema,
  known: readonly Migration[],
  { emptyCommand = "empty the database", onProgress = () => {} }: MigrateOptions,
): Promise<void> {
  const isEmpty = (await lastApplied(database, schema)) === undefined;
  if (isEmpty && schema === index) await refuseForeign(database);
  // The schema of a new database is made, not migrated.
  const report = isEmpty ? () => {} : onProgress;
  let applied = false;
  do {
    applied = await database.transaction((transaction) =>
      applyNext(transaction, schema, { known, emptyCommand, report }),
    );
  } while (applied);
}

type Plan = { known: readonly Migration[]; emptyCommand: string; report: (text: string) => void };

/** Whether there was a migration to apply. */
async function applyNext(
  transaction: Transaction,
  schema: Schema,
  { known, emptyCommand, report }: Plan,
): Promise<boolean> {
  await lockForTransaction(transaction, "migration");
  await makeLedger(transaction, schema);
  const applied = await readApplied(transaction, schema);
  refuseNewer(applied.at(-1)?.number ?? 0, schema, known);
  const place = schema.name === undefined ? "the database" : `the schema ${schema.name} of the database`;
  const anew = schema.name === undefined ? `. Build the index anew: ${emptyCommand}, then start again` : "";
  const odd = applied.find(({ number, name }, i) => known[i]?.number !== number || known[i]?.name !== name);
  if (odd) throw new MigrationError(`${place} has the schema of another program: ${odd.name}${anew}`);
  const next = known[applied.length];
  if (!next) return false;
  const { number, name } = next;
  try {
    await run(transaction, next, (step) =>
      report(`migrating ${place}, ${name} of ${known.at(-1)!.number}${step}`),
    );
  } catch (error) {
    if (error instanceof ServiceError || isReadOnly(error)) throw error;
    const { message } = error as Error;
    throw new MigrationError(
      applied.length === 0 && schema.name === undefined
        ? `the tables of the index cannot be created: ${message}`
        : `${name} could not be applied to ${place}, which is as it was: ${message}${anew}`,
      { cause: error },
    );
  }
  await transaction.query(SQL`insert into ${raw(schema.ledger)} (number, name) values (${number}, ${name})`);
  return true;
}

async function run(
  transaction: Transaction,
  migration: Migration,
  report: (step: string) => void,
): Promise<void> {
  const [first = "", ...steps] = migration.script().split(/^-- step: /m);
  report("");
  await transaction.script(first);
  for (const step of steps) {
    report(`: ${step.slice(0, step.indexOf("\n"))}`);
    await transaction.script(`-- ${step}`);
  }
}

/** For processes that only read the index: why the schema cannot be used yet; `undefined` if it can. */
export async function schemaLack(queries: Queries): Promise<string | undefined> {
  return (await lackOf(queries, index, knownMigrations())) ?? (await lackOf(queries, kept, keptMigrations()));
}

async function lackOf(
  queries: Queries,
  schema: Schema,
  known: readonly Migration[],
): Promise<string | undefined> {
  const last = await lastApplied(queries, schema);
  if (last === undefined && schema === index) return "The database has no index yet";
  refuseNewer(last ?? 0, schema, known);
  const isCurrent = last === known.at(-1)?.number;
  return isCurrent ? undefined : "The database has an older schema than this version reads";
}

function refuseNewer(last: number, { name }: Schema, known: readonly Migration[]): void {
  const newest = known.at(-1)?.number ?? 0;
  if (last <= newest) return;
  const number = name === undefined ? last : `${last} of ${name}`;
  throw new NewerSchemaError(
    `the database has schema ${number}, this version knows ${newest} at most: install the version that wrote it, or a newer one`,
  );
}
