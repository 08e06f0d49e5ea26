import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { openPglite } from "../../../server/store/pglite/pglite.js";
import { citusUrl, makeDivided, openDivided } from "./cluster-databases.js";
import { anyKind, type Content, databaseKinds, openFilledPglite } from "./databases.js";
import { EmptiedSchema } from "./emptied-schema.js";
import { havePostgres, openPatiently, type TestDatabases, TestPostgres } from "./postgres.js";

/** Gives a test a new database with the schema, and with this content or that of the suite. */
export type Fresh = (content?: Content) => Promise<Database>;

/** The same tests on PGlite and on PostgreSQL, in every run. Databases are empty, or have this content. */
export function describeBothDatabases(title: string, body: (fresh: Fresh) => void, content?: Content): void {
  describePglite(title, body, content);
  describePostgres(title, body, content);
}

/** The same tests on the kinds of database that a run has, see `databaseKinds`. */
export function describeDatabases(title: string, body: (fresh: Fresh) => void, content?: Content): void {
  for (const [kind] of databaseKinds) describeKind[kind](title, body, content);
}

const describeKind = { PGlite: describePglite, PostgreSQL: describePostgres, Citus: describeCluster };

function describeCluster(title: string, body: (fresh: Fresh) => void, content?: Content): void {
  describe(`${title} (Citus)`, () => body(freshDivided(content)));
}

function freshDivided(content?: Content): Fresh {
  return async (own = content) => {
    const { database, close } = await openDivided(own);
    onTestFinished(close);
    return database;
  };
}

function describePglite(title: string, body: (fresh: Fresh) => void, content?: Content): void {
  describe(`${title} (PGlite)`, () => body(content ? filledPglite(content) : sharedPglite()));
}

/**
 * Tests of what does not depend on the kind of database: on PostgreSQL, which takes a fraction of the time, or on PGlite
 * without a server.
 */
export function describeDatabase(title: string, body: (fresh: Fresh) => void): void {
  describeKind[anyKind[0]](title, body);
}

/**
 * Tests on PostgreSQL, with databases of a server that other files use too; without a server one skipped test says so. They are
 * dropped after the suite.
 */
export function describePostgres(
  title: string,
  body: (fresh: Fresh, databases: () => TestDatabases) => void,
  content?: Content,
): void {
  describeOn(title, useShared, body, content);
}

/** Tests that stop their server, or change what all of its databases have. */
export function describeOwnPostgres(
  title: string,
  body: (fresh: Fresh, server: () => TestPostgres) => void,
  content?: Content,
): void {
  describeOn(title, useOwn, body, content);
}

function describeOn<Server extends TestDatabases>(
  title: string,
  use: () => () => Server,
  body: (fresh: Fresh, server: () => Server) => void,
  content: Content | undefined,
): void {
  if (!havePostgres()) {
    test.skip(`${title} (PostgreSQL): needs a server`, () => {});
    return;
  }
  describe(`${title} (PostgreSQL)`, () => {
    const server = use();
    body(async (own = content) => {
      const url = await server().databaseWithSchema(own);
      const database = openPatiently(url);
      onTestFinished(() => database.close());
      return database;
    }, server);
  });
}

/** A server that makes databases for processes. */
type DatabaseServer = Pick<TestDatabases, "database" | "databaseWithSchema">;

/** Tests of processes on a PostgreSQL server or, if one is given, on a cluster, whose databases are divided. */
export function describeServers(
  title: string,
  body: (fresh: Fresh, server: () => DatabaseServer) => void,
): void {
  if (citusUrl === undefined) describePostgres(title, body);
  else
    describe(`${title} (Citus)`, () => {
      const server = useCluster();
      body(freshDivided(), () => server);
    });
}

/** The databases of a suite are dropped after it. */
function useCluster(): DatabaseServer {
  const drops: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const drop of drops) await drop();
  });
  const databaseWithSchema = async (content?: Content) => {
    const { url, drop } = await makeDivided(content);
    drops.push(drop);
    return url;
  };
  return { database: () => databaseWithSchema(), databaseWithSchema };
}

function useOwn(): () => TestPostgres {
  let server: TestPostgres | undefined;
  beforeAll(async () => {
    server = await TestPostgres.start();
  });
  afterAll(() => server?.stop());
  return () => server!;
}

/** The databases of a suite are dropped after it. */
function useShared(): () => TestDatabases {
  let databases: TestDatabases | undefined;
  beforeAll(async () => {
    databases = await TestPostgres.shared();
  });
  afterAll(() => databases?.dropAll());
  return () => databases!;
}

function filledPglite(content: Content): Fresh {
  return async (own = content) => {
    const { database, close } = await openFilledPglite(own);
    onTestFinished(close);
    return database;
  };
}

/** Starting one takes seconds, so tests take turns on one that is emptied. */
function sharedPglite(): Fresh {
  let shared: Database | undefined;
  let emptied: EmptiedSchema | undefined;
  beforeAll(async () => {
    shared = await openPglite();
  });
  afterAll(() => shared?.close());
  return async (content) => {
    if (content) return filledPglite(content)();
    const database = shared!;
    if (emptied === undefined) emptied = await EmptiedSchema.make(database.sql());
    else await emptied.restore();
    return database;
  };
}
