import { afterAll, beforeAll } from "vitest";
import type { Database } from "../../../server/store/database.js";
import type { DatabaseKind, FreshDatabase } from "../store/databases.js";
import { type IndexApp, startIndexApp } from "./index-app.js";

/** Its members exist once the suite's hooks have run. */
type IndexOfSuite = { readonly app: IndexApp; readonly database: Database };

/** A database of a suite, which `fill` fills before its tests, and the HTTP interface over it. */
export function indexOfSuite(
  open: DatabaseKind[1],
  fill: (database: Database) => Promise<unknown>,
): IndexOfSuite {
  let fresh: FreshDatabase;
  let app: IndexApp;
  beforeAll(async () => {
    fresh = await open();
    await fill(fresh.database);
    app = await startIndexApp(fresh.database);
  });
  afterAll(async () => {
    await app.close();
    await fresh.close();
  });
  return {
    get app() {
      return app;
    },
    get database() {
      return fresh.database;
    },
  };
}
