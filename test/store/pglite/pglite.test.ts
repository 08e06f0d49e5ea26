import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Queries } from "../../../server/store/database.js";
import { migrate } from "../../../server/store/migrate/migrate.js";
import { claimDatabase } from "../../../server/store/open.js";
import { openPglite } from "../../../server/store/pglite/pglite.js";
import { knownMigrations } from "../../../server/store/sql/schemas.js";
import { withResolvers } from "../../../shared/values/promises.js";
import { isLong } from "../../helpers/effort.js";
import { temporaryFolder } from "../../helpers/temporary-folder.js";

/** Columns, indexes, functions and rows of a database without an index. */
async function contentOf(queries: Queries): Promise<unknown[]> {
  return [
    await queries.query(SQL`
      select table_name::text, column_name::text, data_type::text, is_nullable::text, column_default::text
      from information_schema.columns where table_schema = 'public' order by 1, 2`),
    await queries.query(SQL`select indexdef from pg_indexes where schemaname = 'public' order by 1`),
    await queries.query(SQL`
      select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by 1`),
    await queries.query(SQL`select key, value from index_meta order by key`),
    await migrationsIn(queries),
  ];
}

const migrationsIn = (queries: Queries) =>
  queries.query(SQL`select number, name from schema_migrations order by number`);

test("an image that cannot be written is reported, and the database goes on", async () => {
  const file = join(temporaryFolder(), "file");
  writeFileSync(file, "");
  const failure = withResolvers<unknown[]>();
  const database = await openPglite(undefined, undefined, { fallback: (...each) => failure.resolve(each) });
  database.keep!({ folder: join(file, "images"), name: "image", maxImages: 1 });
  expect(await migrationsIn(database.sql())).toEqual(
    knownMigrations().map(({ number, name }) => ({ number, name })),
  );
  expect(await failure.promise).toEqual([
    "kept-file",
    expect.objectContaining({ message: expect.stringContaining("is a file") }),
  ]);
  // An analysis looks at few rows of a table.
  expect(await database.sql().query(SQL`show default_statistics_target`)).toEqual([
    { default_statistics_target: "10" },
  ]);
  await database.close();
});

test("a database that closes while a statement runs waits for it, and ends", async () => {
  const database = await openPglite();
  const counted = database.sql().query(SQL`select count(*)::text from generate_series(1, 1000000)`);
  await database.close();
  expect(await counted).toEqual([{ count: "1000000" }]);
});

test.runIf(isLong)("a new PGlite has the schema that the migrator makes", async () => {
  const database = await openPglite();
  const sql = database.sql();
  const built = await contentOf(sql);
  await sql.transaction((one) => one.script("drop schema public cascade; create schema public"));
  await migrate(sql);
  expect(built).toEqual(await contentOf(sql));
  await database.close();
});

test("a folder is claimed before anything is there, by one process at a time", async () => {
  const folder = join(temporaryFolder(), "below", "index");
  const claim = await claimDatabase({ folder });
  await expect(claimDatabase({ folder })).rejects.toMatchObject({
    isSetupError: true,
    message: `${folder}.lock is held by process ${process.pid}`,
  });
  await claim.release();
  await (await claimDatabase({ folder })).release();
});

test("a folder of another program is refused in a sentence, and left unchanged", async () => {
  const folder = join(temporaryFolder(), "index");
  mkdirSync(folder);
  writeFileSync(join(folder, "letter"), "");
  await expect(openPglite(folder)).rejects.toMatchObject({
    isSetupError: true,
    message: `${folder} holds something else than a database`,
  });
  writeFileSync(join(folder, "PG_VERSION"), "17\n");
  await expect(openPglite(folder)).rejects.toMatchObject({
    isSetupError: true,
    message: `${folder} holds a database of PostgreSQL 17, not of 18: without it the index is made anew`,
  });
  expect(readdirSync(folder).sort()).toEqual(["PG_VERSION", "letter"]);
});

test("a PGlite without a waiting caller does not start", async () => {
  const nobody = new AbortController();
  const starting = openPglite(undefined, nobody.signal);
  nobody.abort();
  await expect(starting).rejects.toThrow("the thread of the database has ended");
});

test("a PGlite in a folder begins where another was left unfinished, is only read while the disk is nearly full, and keeps committed data", async () => {
  const folder = join(temporaryFolder(), "below", "index");
  mkdirSync(`${folder}.unfinished`, { recursive: true });
  writeFileSync(`${folder}.unfinished/PG_VERSION`, "18\n");
  let freeBytes = 1024 ** 3;
  const database = await openPglite(folder, undefined, { freeBytesAt: async () => freeBytes });
  const writer = database.sql();
  await migrate(writer);
  const write = () =>
    writer.transaction((one) => one.script("insert into index_meta values ('kept', 'yes')"));
  const read = () =>
    writer.transaction((one) => one.query(SQL`select value from index_meta where key = 'kept'`), {
      snapshot: true,
    });
  freeBytes = 64 * 1024 * 1024 - 1;
  await expect(write()).rejects.toMatchObject({
    code: "unavailable",
    message: `nothing is written to ${folder} with less than 64 MB free`,
  });
  expect(await read()).toEqual([]);
  freeBytes++;
  await write();
  expect(await read()).toEqual([{ value: "yes" }]);
  await database.close();
  const again = await openPglite(folder);
  expect(await again.sql().query(SQL`select value from index_meta where key = 'kept'`)).toEqual([
    { value: "yes" },
  ]);
  await again.close();
});

test.runIf(isLong)("the write-ahead log of a PGlite does not grow with writes", async () => {
  const database = await openPglite();
  const sql = database.sql();
  await migrate(sql);
  const megabyte = randomBytes(1 << 20);
  const writtenAt = await logPosition(sql);
  for (let written = 0; written < 40; written++)
    await sql.query(SQL`insert into index_meta values ('large', ${megabyte.toString("latin1").replaceAll("\0", "x")})
      on conflict (key) do update set value = excluded.value`);
  expect((await logPosition(sql)) - writtenAt).toBeGreaterThan(40 << 20);
  const [log] = await sql.query<{ bytes: number }>(
    SQL`select sum(size)::float8 as bytes from pg_ls_waldir()`,
  );
  expect(log!.bytes).toBeLessThan(24 << 20);
  await database.close();
});

async function logPosition(queries: Queries): Promise<number> {
  const [row] = await queries.query<{ bytes: bigint }>(
    SQL`select (pg_current_wal_insert_lsn() - '0/0')::bigint as bytes`,
  );
  return Number(row!.bytes);
}
