import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import sql from "sql-template-tag";
import { expect, test, vi } from "vitest";
import { migrate } from "../../server/store/migrate.js";
import { openPglite } from "../../server/store/pglite.js";
import { temporaryFolder } from "../helpers/temporary-folder.js";

const patience = { timeout: 120_000 };

test("a PGlite in a folder keeps what was committed", patience, async () => {
  const folder = join(temporaryFolder(), "below", "index");
  const first = await openPglite(folder);
  await migrate(first.sql());
  await first.sql().query(sql`insert into index_meta values ('kept', 'yes')`);
  await first.close();
  const second = await openPglite(folder);
  expect(await second.sql().query(sql`select value from index_meta where key = 'kept'`)).toEqual([
    { value: "yes" },
  ]);
  await second.close();
});

test(
  "a folder that a PGlite works in is not opened a second time, also not while it is made",
  patience,
  async () => {
    const folder = join(temporaryFolder(), "index");
    const first = openPglite(folder);
    const refusal = `${folder}.lock is held by process ${process.pid}`;
    await vi.waitFor(() => expect(existsSync(`${folder}.lock`)).toBe(true));
    await expect(openPglite(folder)).rejects.toThrow(refusal);
    const database = await first;
    await expect(openPglite(folder)).rejects.toThrow(refusal);
    expect(await database.sql().query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
    await database.close();
    expect(existsSync(`${folder}.lock`)).toBe(false);
  },
);

test("a PGlite whose folder was left unfinished begins again", patience, async () => {
  const folder = join(temporaryFolder(), "index");
  mkdirSync(`${folder}.unfinished`);
  writeFileSync(`${folder}.unfinished/PG_VERSION`, "18\n");
  const database = await openPglite(folder);
  expect(await database.sql().query(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await database.close();
});

test("a PGlite that nobody waits for any more does not start", patience, async () => {
  const nobody = new AbortController();
  const starting = openPglite(undefined, nobody.signal);
  setImmediate(() => nobody.abort());
  await expect(starting).rejects.toThrow("the thread of the database has ended");
});
