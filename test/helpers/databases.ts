import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { openPglite } from "../../server/store/pglite.js";
import { havePostgres, openPatiently, TestPostgres } from "./postgres.js";

/** An empty database with the schema. */
export type FreshDatabase = { database: Database; close(): Promise<void> };
export type DatabaseKind = readonly [name: string, open: () => Promise<FreshDatabase>];

async function onPglite(): Promise<FreshDatabase> {
  const database = await openPglite();
  await migrate(database.sql());
  return { database, close: () => database.close() };
}

async function onPostgres(): Promise<FreshDatabase> {
  const server = await TestPostgres.start();
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
