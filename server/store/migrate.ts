import SQL, { raw } from "sql-template-tag";
import { ServiceError } from "../errors.js";
import type { Queries, Sql, Transaction } from "./database.js";
import { isReadOnly } from "./database-errors.js";
import {
  type AppliedMigration,
  isNewer,
  MigrationError,
  makeLedger,
  NewerSchemaError,
  readApplied,
  refuseForeign,
  unreleasedOne,
} from "./ledger.js";
import { lockForTransaction } from "./queries/upkeep/locks.js";
import { index, kept, keptMigrations, knownMigrations, type Migration, type Schema } from "./schemas.js";

export type MigrateOptions = {
  /** The migrations of the index; by default all that this version has. */
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
  { emptyCommand = defaultCommand, onProgress = () => {} }: MigrateOptions,
): Promise<void> {
  const isEmpty = (await readApplied(database, schema)).length === 0;
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
  refuseUnknown(applied, schema, { known, emptyCommand });
  const next = known[applied.length];
  if (!next) return false;
  const { number, name } = next;
  const place = schema.name === undefined ? "the database" : `the schema ${schema.name} of the database`;
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
        : `${name} could not be applied to ${place}, which is as it was: ${message}${anew(schema, emptyCommand)}`,
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

const defaultCommand = "empty the database";

/** For the message of a refusal: how the index is built anew. The other schema has data that cannot be. */
function anew({ name }: Schema, emptyCommand: string): string {
  return name === undefined
    ? `. Build the index anew: ${emptyCommand}, then start again (webhooks are kept)`
    : "";
}

/**
 * For processes that only read the index: why the schema cannot be used yet; `undefined` if it can. Throws
 * `NewerSchemaError` and `MigrationError` if it never can.
 */
export async function schemaLack(
  queries: Queries,
  emptyCommand = defaultCommand,
): Promise<string | undefined> {
  return (
    (await lackOf(queries, index, { known: knownMigrations(), emptyCommand })) ??
    (await lackOf(queries, kept, { known: keptMigrations(), emptyCommand }))
  );
}

async function lackOf(
  queries: Queries,
  schema: Schema,
  { known, emptyCommand }: Omit<Plan, "report">,
): Promise<string | undefined> {
  const applied = await readApplied(queries, schema);
  if (applied.length === 0 && schema === index) return "The database has no index yet";
  refuseUnknown(applied, schema, { known, emptyCommand });
  const isCurrent = applied.length === known.length;
  return isCurrent ? undefined : "The database has an older schema than this version reads";
}

/** Refuses a schema that this version does not know, and therefore cannot migrate. */
function refuseUnknown(
  applied: readonly AppliedMigration[],
  schema: Schema,
  { known, emptyCommand }: Omit<Plan, "report">,
): void {
  const { name } = schema;
  if (isNewer(applied, known)) {
    const last = applied.at(-1)!.number;
    throw new NewerSchemaError(
      `the database has schema ${name === undefined ? last : `${last} of ${name}`}, this version knows ` +
        `${known.at(-1)!.number} at most: install the version that wrote it, or a newer one`,
    );
  }
  const unreleased = unreleasedOne(applied, known);
  if (!unreleased) return;
  const made = name === undefined ? "the index in the database" : `the schema ${name} of the database`;
  throw new MigrationError(
    `${made} was made by an unreleased version (${unreleased.name}), and this version cannot migrate it` +
      anew(schema, emptyCommand),
  );
}
