import { spawnSync } from "node:child_process";
import { describe, expect, onTestFinished, test } from "vitest";
import { askOnce } from "../helpers/store/ask-once.js";
import { havePostgres, TestPostgres } from "../helpers/store/postgres.js";
import { createDatabase, databaseName, dropDatabase, dropLeft } from "../helpers/store/test-databases.js";

describe.runIf(havePostgres())("A server that outlives runs of tests", () => {
  test("loses the databases of runs that were killed, and no others", async () => {
    const server = await (await TestPostgres.shared()).database();
    const { pid: ended } = spawnSync(process.execPath, ["--version"]);
    const names = [databaseName(ended), databaseName(), `o_${databaseName(ended)}`];
    for (const name of names) {
      await createDatabase(server, name);
      onTestFinished(() => dropDatabase(server, name));
    }
    await dropLeft(server);
    const all: { datname: string }[] = await askOnce(server, "select datname from pg_database");
    expect(names.map((name) => all.some(({ datname }) => datname === name))).toEqual([false, true, true]);
  });
});
