import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import SQL from "sql-template-tag";
import { SetupError } from "../errors.js";
import type { Queries, Sql, Transaction } from "./database.js";
import { lockForTransaction } from "./queries/locks.js";

const folder = new URL("migrations/", import.meta.url);

type Migration = { number: number; name: string };

/** The numbered files, oldest first. Released ones never change. */
function migrations(): Migration[] {
  return readdirSync(fileURLToPath(folder))
    .filter((name) => /^\d{4}-.*\.sql$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 4)), name }));
}

/** The database was written by a later version of the program. */
export class NewerSchemaError extends SetupError {
  override readonly name = "NewerSchemaError";
}

/** Applies missing migrations. Concurrent processes are safe: one applies them, the others wait for it. */
export async function migrate(database: Sql): Promise<void> {
  await database.transaction(async (transaction) => {
    await lockForTransaction(transaction, "migration");
    const last = await lastApplied(transaction);
    const known = migrations();
    refuseNewer(last, known);
    for (const { number, name } of known.filter((migration) => migration.number > last)) {
      await transaction.script(readFileSync(new URL(name, folder), "utf8"));
      await transaction.query(SQL`insert into schema_migrations (number, name) values (${number}, ${name})`);
    }
  });
}

/** For processes that only read: why the schema cannot be read yet; `undefined` if it can. */
export async function schemaLack(queries: Queries): Promise<string | undefined> {
  const known = migrations();
  const [table] = await queries.query<{ found: boolean }>(
    SQL`select to_regclass('schema_migrations') is not null as found`,
  );
  if (!table!.found) return "The database has no index yet";
  const [row] = await queries.query<{ last: number | null }>(
    SQL`select max(number) as last from schema_migrations`,
  );
  refuseNewer(row!.last ?? 0, known);
  const isCurrent = row!.last === known.at(-1)?.number;
  return isCurrent ? undefined : "The database has an older schema than this version reads";
}

function refuseNewer(last: number, known: readonly Migration[]): void {
  const newest = known.at(-1)?.number ?? 0;
  if (last > newest)
    throw new NewerSchemaError(`the database has schema ${last}, this version knows ${newest} at most`);
}

async function lastApplied(transaction: Transaction): Promise<number> {
  await transaction.script(
    `create table if not exists schema_migrations
     (number integer primary key, name text not null, applied_at timestamptz not null default now())`,
  );
  const [row] = await transaction.query<{ last: number | null }>(
    SQL`select max(number) as last from schema_migrations`,
  );
  return row?.last ?? 0;
}
