import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import SQL from "sql-template-tag";
import { ServiceError, SetupError } from "../errors.js";
import type { Queries, Sql, Transaction } from "./database.js";
import { isReadOnly } from "./database-errors.js";
import { lockForTransaction } from "./queries/locks.js";

const folder = new URL("migrations/", import.meta.url);

/** A change of the schema. Lines `-- step: <title>` divide a script into the steps that are reported. */
export type Migration = { readonly number: number; readonly name: string; script(): string };

export type MigrateOptions = {
  /** What the schema is made of; by default all that this version knows. */
  migrations?: readonly Migration[];
  /** The command that empties the database, for the message of a refusal. */
  emptyCommand?: string;
  /** Called before each step that changes a database with an index in it. */
  onProgress?: (text: string) => void;
};

/** The numbered files, oldest first. Released ones never change. */
export function knownMigrations(): Migration[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({
      number: Number(name.slice(0, 4)),
      name,
      script: () => readFileSync(new URL(name, folder), "utf8"),
    }));
}

/** The database was written by a later version of the program. */
export class NewerSchemaError extends SetupError {
  override readonly name = "NewerSchemaError";
}

/** The database cannot be brought to the schema of this version. It is as it was. */
export class MigrationError extends SetupError {
  override readonly name = "MigrationError";
}

/**
 * Applies missing migrations, each in a transaction: when the process is killed, the next start continues. Concurrent
 * processes are safe: one applies a migration, the others wait for it. Throws `NewerSchemaError` and `MigrationError`.
 */
export async function migrate(database: Sql, options: MigrateOptions = {}): Promise<void> {
  const known = options.migrations ?? knownMigrations();
  const isEmpty = (await schemaOf(database)) === undefined;
  // The schema of a new database is made, not migrated.
  const { onProgress = () => {}, ...others } = options;
  const reporting = { ...others, onProgress: isEmpty ? () => {} : onProgress };
  let applied = false;
  do {
    applied = await database.transaction((transaction) => applyNext(transaction, known, reporting));
  } while (applied);
}

/** The number of the last migration; `undefined` if there is no schema. */
async function schemaOf(queries: Queries): Promise<number | undefined> {
  const [table] = await queries.query<{ found: boolean }>(
    SQL`select to_regclass('schema_migrations') is not null as found`,
  );
  if (!table!.found) return undefined;
  const [row] = await queries.query<{ last: number | null }>(
    SQL`select max(number) as last from schema_migrations`,
  );
  return row!.last ?? 0;
}

/** Whether there was a migration to apply. */
async function applyNext(
  transaction: Transaction,
  known: readonly Migration[],
  { emptyCommand = "empty the database", onProgress = () => {} }: MigrateOptions,
): Promise<boolean> {
  await lockForTransaction(transaction, "migration");
  const applied = await readApplied(transaction);
  refuseNewer(applied.at(-1)?.number ?? 0, known);
  const anew = `Build the index anew: ${emptyCommand}, then start again`;
  const odd = applied.find(({ number, name }, i) => known[i]?.number !== number || known[i]?.name !== name);
  if (odd) throw new MigrationError(`the database has the schema of another program: ${odd.name}. ${anew}`);
  const next = known[applied.length];
  if (!next) return false;
  const { number, name } = next;
  const report = (step: string) => {
    onProgress(`migrating the database, ${name} of ${known.at(-1)!.number}${step}`);
  };
  try {
    await run(transaction, next, report);
  } catch (error) {
    if (error instanceof ServiceError || isReadOnly(error)) throw error;
    const { message } = error as Error;
    throw new MigrationError(
      applied.length === 0
        ? `the tables of the index cannot be created: ${message}. The database must be empty`
        : `${name} could not be applied to the database, which is as it was: ${message}. ${anew}`,
      { cause: error },
    );
  }
  await transaction.query(SQL`insert into schema_migrations (number, name) values (${number}, ${name})`);
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

/** For processes that only read: why the schema cannot be read yet; `undefined` if it can. */
export async function schemaLack(queries: Queries): Promise<string | undefined> {
  const known = knownMigrations();
  const last = await schemaOf(queries);
  if (last === undefined) return "The database has no index yet";
  refuseNewer(last, known);
  const isCurrent = last === known.at(-1)?.number;
  return isCurrent ? undefined : "The database has an older schema than this version reads";
}

function refuseNewer(last: number, known: readonly Migration[]): void {
  const newest = known.at(-1)?.number ?? 0;
  if (last > newest)
    throw new NewerSchemaError(`the database has schema ${last}, this version knows ${newest} at most`);
}

/** The migrations that the database has, oldest first. */
async function readApplied(transaction: Transaction): Promise<{ number: number; name: string }[]> {
  await transaction.script(
    `create table if not exists schema_migrations
     (number integer primary key, name text not null, applied_at timestamptz not null default now())`,
  );
  return transaction.query(SQL`select number, name from schema_migrations order by number`);
}
