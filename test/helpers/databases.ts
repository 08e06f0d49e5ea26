import { cpSync, rmSync } from "node:fs";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { openPglite } from "../../server/store/pglite.js";
import { folderInRun, oncePerRun } from "./once-per-run.js";
import { havePostgres, openPatiently, TestPostgres } from "./postgres.js";

/** A database that nothing else uses. */
export type FreshDatabase = { database: Database; close(): Promise<void> };

/** What databases of a run begin with. The first one is filled, the others are copies. */
export type Content = { readonly name: string; fill(database: Database): Promise<void> };

/** Opens a database with the schema: an empty one, or in a run of tests one with this content. */
export type OpenDatabase = (content?: Content) => Promise<FreshDatabase>;
export type DatabaseKind = readonly [name: string, open: OpenDatabase];

async function onPglite(content?: Content): Promise<FreshDatabase> {
  const folder = content && folderInRun("tonwire-pglite-");
  const filled = content && (await oncePerRun(`pglite-${content.name}`, (each) => fillPglite(each, content)));
  if (filled !== undefined) cpSync(filled, folder!, { recursive: true });
  const database = await openPglite(folder);
  await migrate(database.sql());
  return {
    database,
    async close() {
      await database.close();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
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
  const server = await TestPostgres.start(content);
  const database = openPatiently(await server.databaseWithSchema());
  return {
    database,
    async close() {
      await database.close();
      await server.stop();
    },
  };
}

/** Both kinds of database, for `describe.each`; PostgreSQL where this machine has one. */
export const databaseKinds: readonly DatabaseKind[] = [
  ["PGlite", onPglite],
  ...(havePostgres() ? [["PostgreSQL", onPostgres] as const] : []),
];
