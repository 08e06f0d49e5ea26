import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { openPglite } from "../../server/store/pglite.js";
import { EmptiedSchema } from "./emptied-schema.js";
import { havePostgres, openPatiently, TestPostgres } from "./postgres.js";

/** Gives a test an empty database with the schema in it. */
export type Fresh = () => Promise<Database>;

/** The same tests on PGlite and on PostgreSQL. */
export function describeDatabases(title: string, body: (fresh: Fresh) => void): void {
  describe(`${title} (PGlite)`, () => body(sharedPglite()));
  describePostgres(title, body);
}

/** Tests on PostgreSQL; without a server one skipped test says so. */
export function describePostgres(
  title: string,
  body: (fresh: Fresh, server: () => TestPostgres) => void,
): void {
  if (!havePostgres()) {
    test.skip(`${title} (PostgreSQL): needs a server`, () => {});
    return;
  }
  describe(`${title} (PostgreSQL)`, () => {
    const server = sharedPostgres();
    body(async () => {
      const database = openPatiently(await server().databaseWithSchema());
      onTestFinished(() => database.close());
      return database;
    }, server);
  });
}

/** One server for the tests of a file. */
function sharedPostgres(): () => TestPostgres {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    server = await TestPostgres.start();
  });
  afterAll(() => server?.stop());
  return () => server!;
}

/** Starting one takes seconds, so tests take turns on one that is emptied. */
function sharedPglite(): Fresh {
  let shared: Database | undefined;
  let emptied: EmptiedSchema | undefined;
  beforeAll(async () => {
    shared = await openPglite();
  });
  afterAll(() => shared?.close());
  return async () => {
    const database = shared!;
    if (emptied === undefined) emptied = await EmptiedSchema.make(database.sql());
    else await emptied.restore();
    return database;
  };
}
