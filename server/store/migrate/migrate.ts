import SQL, { raw } from "sql-template-tag";
import { itemAt } from "../../../shared/values/lookups.js";
import { isSetupError, ServiceError } from "../../errors.js";
import { refuseEarlierDivision } from "../cluster/divide.js";
import type { Queries, Sql, Transaction } from "../database.js";
import { isReadOnly } from "../database-errors.js";
import { lockForTransaction } from "../sql/locks.js";
import { index, kept, keptMigrations, knownMigrations, type Migration, type Schema } from "../sql/schemas.js";
import { runAlone } from "./index-beside.js";
import {
  type AppliedMigration,
  buildAnew,
  isNewer,
  isReadable,
  MigrationError,
  makeLedger,
  NewerSchemaError,
  ofUnreleased,
  readApplied,
  refuseForeign,
  unreleasedOne,
} from "./ledger.js";
import { besideOthers, partsOf, runAtOnce, runPart, usableByOf, usualStatementMs } from "./parts.js";

type MigrateOptions = {
  /** The migrations of the index; by default all that this version has. */
  migrations?: readonly Migration[];
  /** The command that empties the index, for the message of a refusal. */
  emptyCommand?: string;
  /** Called before each step that changes a database with an index in it. */
  onProgress?: (text: string) => void;
  /** How long a statement may hold up others that use the database. */
  statementMs?: number;
  /** Whether the caller divides the index then, so that it may be divided as an earlier version did. */
  isDividing?: boolean;
};

/**
 * Applies missing migrations: when the process is killed, the next start continues. Concurrent processes are safe: one applies
 * a migration, the others wait for it, and those that read and write are held up for a second at most. Throws
 * `NewerSchemaError` and `MigrationError`.
 */
export async function migrate(
  database: Sql,
  { migrations, isDividing = false, ...options }: MigrateOptions = {},
): Promise<void> {
  // The index comes first: a database with tables of another program is refused before anything is created in it.
  await migrateSchema(database, index, migrations ?? knownMigrations(), options);
  await migrateKept(database, options);
  if (!isDividing) await refuseEarlierDivision(database);
}

/** As `migrate`, of the tables that outlive the index: they need no index. */
export async function migrateKept(
  database: Sql,
  options: Omit<MigrateOptions, "migrations" | "isDividing"> = {},
): Promise<void> {
  await migrateSchema(database, kept, keptMigrations(), options);
}

async function migrateSchema(
  database: Sql,
  schema: Schema,
  known: readonly Migration[],
  { emptyCommand = defaultCommand, onProgress = () => {}, statementMs = usualStatementMs }: MigrateOptions,
): Promise<void> {
  const isEmpty = (await readApplied(database, schema, emptyCommand)).length === 0;
  if (isEmpty && schema === index) await refuseForeign(database);
  // The schema of a new database is made, not migrated.
  const report = isEmpty ? () => {} : oncePerText(onProgress);
  const plan = { known, emptyCommand, report, statementMs };
  const migrateOnce = isEmpty ? applyNext : applyBeside;
  while (await migrateOnce(database, schema, plan)) {}
}

type Plan = {
  known: readonly Migration[];
  emptyCommand: string;
  report: (text: string) => void;
  statementMs: number;
};

/** A step that is tried again is reported once. */
function oncePerText(report: (text: string) => void): (text: string) => void {
  let last: string | undefined;
  return (text) => {
    if (text !== last) report(text);
    last = text;
  };
}

/** Applies the next migration of a new database in one transaction. Returns whether there was one. */
function applyNext(database: Sql, schema: Schema, plan: Plan): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const next = await lockedNext(transaction, schema, plan);
    if (!next) return false;
    await explaining(schema, plan, next, async () => {
      for (const part of partsOf(next.script())) await runAtOnce(transaction, part);
    });
    await note(transaction, schema, next);
    return true;
  });
}

/**
 * Applies the next migration of a database that others may read and write: in transactions that are short, each of which
 * tries again while it gets no lock. A process that ends between them begins the migration anew.
 */
async function applyBeside(database: Sql, schema: Schema, plan: Plan): Promise<boolean> {
  const next = await database.transaction((transaction) => lockedNext(transaction, schema, plan));
  if (!next) return false;
  const parts = partsOf(next.script());
  const inTurn = <T>(work: (transaction: Transaction) => Promise<T>) =>
    besideOthers(database, plan.statementMs, async (transaction) => {
      await lockForTransaction(transaction, "migration");
      return work(transaction);
    });
  await explaining(schema, plan, next, async () => {
    for (const [at, part] of parts.entries()) {
      const report = (title: string) => plan.report(progressOf(schema, plan, next, title));
      if (part.kind !== "together") report(part.title);
      if (part.kind === "alone") await runAlone(database, part.text, inTurn);
      const isLast = at === parts.length - 1;
      const run = (transaction: Transaction) => runPart(transaction, part, report);
      const finish = isLast ? (transaction: Transaction) => note(transaction, schema, next) : undefined;
      const isMissing = async (transaction: Transaction) =>
        (await lockedNext(transaction, schema, plan))?.number === next.number;
      while (
        await besideOthers(database, plan.statementMs, (transaction) =>
          onceMore(transaction, { isMissing, run, finish }),
        )
      ) {}
    }
  });
  return true;
}

type Work = {
  /** Whether no other process has applied the migration meanwhile. */
  isMissing: (transaction: Transaction) => Promise<boolean>;
  /** Whether there may be more to do. */
  run: (transaction: Transaction) => Promise<boolean>;
  finish: ((transaction: Transaction) => Promise<void>) | undefined;
};

/** One transaction of a part. Returns whether it may have more. */
async function onceMore(transaction: Transaction, { isMissing, run, finish }: Work): Promise<boolean> {
  if (!(await isMissing(transaction))) return false;
  if (await run(transaction)) return true;
  await finish?.(transaction);
  return false;
}

/** The first migration that is missing, while no other process applies one. */
async function lockedNext(
  transaction: Transaction,
  schema: Schema,
  plan: Plan,
): Promise<Migration | undefined> {
  await lockForTransaction(transaction, "migration");
  await makeLedger(transaction, schema);
  const applied = await readApplied(transaction, schema, plan.emptyCommand);
  refuseUnknown(applied, schema, plan);
  return plan.known[applied.length];
}

async function note(
  transaction: Transaction,
  { ledger }: Schema,
  { number, name, script }: Migration,
): Promise<void> {
  await transaction.query(SQL`
    insert into ${raw(ledger)} (number, name, usable_by)
    values (${number}, ${name}, ${usableByOf(script()) ?? null})`);
}

function progressOf({ name: place }: Schema, { known }: Plan, { name }: Migration, title: string): string {
  const migrated = place === undefined ? "the database" : `the schema ${place} of the database`;
  return `migrating ${migrated}, ${name} of ${itemAt(known, -1).number}${title === "" ? "" : `: ${title}`}`;
}

/** Runs a migration; a failure says which one it was, and what to do. */
async function explaining(
  schema: Schema,
  { emptyCommand }: Plan,
  { number, name, script }: Migration,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ServiceError || isSetupError(error) || isReadOnly(error)) throw error;
    const { message } = error as Error;
    const place = schema.name === undefined ? "the database" : `the schema ${schema.name} of the database`;
    const isWhole = partsOf(script()).length === 1;
    throw new MigrationError(
      number === 1 && schema.name === undefined
        ? `the tables of the index cannot be created: ${message}`
        : `${name} could not be applied to ${place}, ${isWhole ? "which is as it was" : "in which its finished parts stay"}: ` +
            // The other schema has data that nothing can build anew.
            `${message}${schema.name === undefined ? buildAnew(emptyCommand) : ""}`,
      { cause: error },
    );
  }
}

const defaultCommand = "empty the database";

/**
 * For processes that do not migrate: why the schema cannot be used yet; `undefined` if it can. A newer one may say that it
 * can be read, not that it can be written. Throws `NewerSchemaError` and `MigrationError` if it never can.
 */
export async function schemaLack(
  queries: Queries,
  emptyCommand = defaultCommand,
  { isWriter = false } = {},
): Promise<string | undefined> {
  const plan = { emptyCommand, isWriter };
  return (
    (await lackOf(queries, index, { known: knownMigrations(), ...plan })) ??
    (await lackOf(queries, kept, { known: keptMigrations(), ...plan }))
  );
}

async function lackOf(
  queries: Queries,
  schema: Schema,
  { known, emptyCommand, isWriter }: Pick<Plan, "known" | "emptyCommand"> & { isWriter: boolean },
): Promise<string | undefined> {
  const applied = await readApplied(queries, schema, emptyCommand);
  if (applied.length === 0 && schema === index) return "The database has no index yet";
  if (!isWriter && isReadable(applied, known)) return undefined;
  refuseUnknown(applied, schema, { known, emptyCommand });
  const isCurrent = applied.length === known.length;
  return isCurrent ? undefined : "The database has an older schema than this version reads";
}

/** Refuses a schema that this version does not know, and therefore cannot migrate. */
function refuseUnknown(
  applied: readonly AppliedMigration[],
  schema: Schema,
  { known, emptyCommand }: Pick<Plan, "known" | "emptyCommand">,
): void {
  const { name } = schema;
  if (isNewer(applied, known)) {
    const last = itemAt(applied, -1).number;
    throw new NewerSchemaError(
      `the database has schema ${name === undefined ? last : `${last} of ${name}`}, this version knows ` +
        `${itemAt(known, -1).number} at most: install the version that wrote it, or a newer one`,
    );
  }
  const unreleased = unreleasedOne(applied, known);
  if (unreleased) throw ofUnreleased(schema, { sign: unreleased.name, emptyCommand });
}
