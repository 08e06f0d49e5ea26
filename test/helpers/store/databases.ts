import { cpSync, rmSync } from "node:fs";
import type { Database } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { openPglite } from "../../../server/store/pglite/pglite.js";
import { isLong, isRest } from "../effort.js";
import { folderInRun, oncePerRun } from "../once-per-run.js";
import { citusUrl, openDivided } from "./cluster-databases.js";
import { havePostgres, openPatiently, TestPostgres } from "./postgres.js";

/** A database that nothing else uses. */
export type FreshDatabase = { database: Database; close(): Promise<void> };

/**
 * Content of databases in addition to the schema. In a run of tests the first database is filled, the others are
 * copies.
 */
export type Content = { readonly name: string; fill(database: Database): Promise<void> };

/** Opens a database with the schema, and with this content in it. */
type OpenDatabase = (content?: Content) => Promise<FreshDatabase>;
export type DatabaseKind = readonly [name: "PGlite" | "PostgreSQL" | "Citus", open: OpenDatabase];

async function onPglite(content?: Content): Promise<FreshDatabase> {
  if (content !== undefined) return openFilledPglite(content);
  const database = await openPglite();
  await migrate(database.sql());
  return { database, close: () => database.close() };
}

/** In a folder, as databases in memory cannot be copied. */
export async function openFilledPglite(content: Content): Promise<FreshDatabase> {
  const folder = folderInRun("tonwire-pglite-");
  const filled = await oncePerRun(`pglite-${content.name}`, (each) => fillPglite(each, content));
  if (filled === undefined) await fillPglite(folder, content);
  else cpSync(filled, folder, { recursive: true });
  const database = await openPglite(folder);
  return {
    database,
    async close() {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function fillPglite(folder: string, { fill }: Content): Promise<void> {
  const database = await openPglite(folder);
  await migrate(database.sql());
  await fill(database);
  await database.close();
}

async function onPostgres(content?: Content): Promise<FreshDatabase> {
  const server = await TestPostgres.shared();
  const url = await server.databaseWithSchema(content);
  const database = openPatiently(url);
  return {
    database,
    async close() {
      await database.close();
      await server.drop(url);
    },
  };
}

/** Both kinds of database; PostgreSQL where this machine has one. */
const bothKinds: readonly DatabaseKind[] = [
  ["PGlite", onPglite],
  ...(havePostgres() ? [["PostgreSQL", onPostgres] as const] : []),
];

/** For tests in which the kind of database makes no difference: PostgreSQL takes a fraction of the time. */
export const anyKind: DatabaseKind = citusUrl === undefined ? bothKinds.at(-1)! : ["Citus", openDivided];

/**
 * For `describe.each`: a cluster if one is given. Otherwise `npm test` has one kind, the long run the other one. What such a suite leaves to long runs is therefore
 * made on the other kind there, and on both by `npm run test:all`. A suite of long runs only takes `bothKinds`.
 */
export const databaseKinds: readonly DatabaseKind[] = kindsOfRun();

function kindsOfRun(): readonly DatabaseKind[] {
  if (!isLong || citusUrl !== undefined) return [anyKind];
  return isRest ? bothKinds.slice(0, 1) : bothKinds;
}
