import { expect, onTestFinished, test } from "vitest";
import type { Queries, Sql, Statement } from "../../../server/store/database.js";
import { isLong } from "../../helpers/effort.js";
import { describeBothDatabases, describePostgres } from "../../helpers/store/describe-databases.js";
import { openPatiently } from "../../helpers/store/postgres.js";
import { until } from "../../helpers/until.js";

const places = [0, 1, 2];
const isAborted = { status: "rejected", reason: { code: "25P02" } };

/** Three statements of which one fails at first, and how it is mended. */
type Case = {
  statements: (isMended: boolean) => Statement[];
  mend: (sql: Sql) => Promise<unknown>;
  code: string;
};

let names = 0;

/** Fails when it runs: the server knows it by then. */
function dividing(place: number): Case {
  const name = `n${names++}`;
  const statements = (isMended: boolean) =>
    places.map((at) => ({
      text: `select ${at + 1} / $1::integer as ${name}`,
      values: [at === place && !isMended ? 0 : 1],
      isPlannedOnce: at !== 1,
    }));
  return { statements, mend: async () => {}, code: "22012" };
}

/** Fails when it is prepared: the server does not know it. */
function absent(place: number): Case {
  const name = `n${names++}`;
  const table = `table_${name}`;
  const statements = () =>
    places.map((at) => ({
      text: `select ${at + 1} as ${name} ${at === place ? `from ${table}` : ""}`,
      values: [],
      isPlannedOnce: at !== 1,
    }));
  const mend = (sql: Sql) =>
    sql.transaction((each) => each.script(`create table ${table} (); insert into ${table} default values`));
  return { statements, mend, code: "42P01" };
}

const everyCase = places.flatMap((place) => [
  [["first", "second", "last"][place]!, "when it runs", place, dividing] as const,
  [["first", "second", "last"][place]!, "when it is prepared", place, absent] as const,
]);
/** In `npm test` each place, and each time. */
const cases = everyCase.filter((_, at) => isLong || at % 2 === Math.floor(at / 2) % 2);

/** Rows of which the only value is a number. */
const valuesOf = (answers: object[][]) => answers.map(([row]) => Object.values(row!)[0] as unknown);

describeBothDatabases("When a statement fails", (fresh) => {
  // One connection, so that what follows meets what the failure left.
  const open = async () => (await fresh()).sql({ connections: 1, statementTimeoutMs: 120_000 });

  test.each(cases)(
    "of those that are read together, the %s one %s, those behind it are refused",
    async (...[, , place, make]) => {
      const sql = await open();
      const { statements, mend, code } = make(place);
      let outcomes: PromiseSettledResult<unknown>[] = [];
      const read = (isMended: boolean) =>
        sql.transaction(
          async (queries) => {
            const last = statements(isMended).length - 1;
            const asked = statements(isMended).map((each, at) =>
              queries.query<object>({ ...each, isLast: at === last }),
            );
            outcomes = await Promise.allSettled(asked);
            return Promise.all(asked);
          },
          { snapshot: true },
        );
      // Also a second time, when their names have been used.
      for (let time = 0; time < 2; time++) {
        await expect(read(false)).rejects.toMatchObject({ code });
        const expected = places.map((at) => {
          if (at < place) return { status: "fulfilled" };
          return at === place ? { status: "rejected", reason: { code } } : isAborted;
        });
        expect(outcomes).toMatchObject(expected);
      }
      await mend(sql);
      for (let time = 0; time < 2; time++) expect(valuesOf(await read(true))).toEqual([1, 2, 3]);
    },
  );

  test.each(cases)(
    "of those that are written in one message, the %s one %s, nothing is kept",
    async (...[, , place, make]) => {
      const database = await fresh();
      const sql = database.sql({ connections: 1 });
      const { statements, mend, code } = make(place);
      const written = (isMended: boolean) =>
        statements(isMended).map(({ text, values }, at) => ({
          text: `insert into index_meta select 'written ${at}', * from (${text}) found`,
          values,
        }));
      const write = (isMended: boolean) =>
        sql.transaction(async (transaction) => {
          await transaction.write([{ text: "insert into index_meta values ('before', '')", values: [] }]);
          await transaction.write(written(isMended));
        });
      const kept = () =>
        sql.query({
          text: "select key, value from index_meta where key <> 'schema' order by key",
          values: [],
        });
      const before = await kept();
      for (let time = 0; time < 2; time++) await expect(write(false)).rejects.toMatchObject({ code });
      expect(await kept()).toEqual(before);
      await mend(sql);
      await write(true);
      const added = places.map((at) => ({ key: `written ${at}`, value: `${at + 1}` }));
      expect(await kept()).toEqual(expect.arrayContaining([{ key: "before", value: "" }, ...added]));
    },
  );

  test.each(cases)(
    "of those that are asked for apart, the %s one %s, the others are answered",
    async (...[, , place, make]) => {
      const sql = await open();
      const { statements, mend, code } = make(place);
      const ask = (queries: Queries, isMended: boolean) =>
        Promise.allSettled(statements(isMended).map((each) => queries.query<object>(each)));
      for (let time = 0; time < 2; time++) {
        const expected = places.map((at) =>
          at === place ? { status: "rejected", reason: { code } } : { status: "fulfilled" },
        );
        expect(await ask(sql, false)).toMatchObject(expected);
      }
      await mend(sql);
      expect(await ask(sql, true)).toMatchObject(places.map(() => ({ status: "fulfilled" })));
    },
  );
});

describePostgres("When a connection ends while statements are read together", (_fresh, server) => {
  test("they fail as those of a server that is not there, and later ones have another connection", async () => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    const sql = database.sql({ connections: 1, statementTimeoutMs: 600_000 });
    const control = database.sql();
    let outcomes: PromiseSettledResult<unknown>[] = [];
    const texts = ["select 1 as one", "select pg_sleep(3600) as slept", "select 3 as three"];
    const read = sql.transaction(
      async (queries) => {
        outcomes = await Promise.allSettled(texts.map((text) => queries.query({ text, values: [] })));
        await queries.query({ text: "select 4 as four", values: [] });
      },
      { snapshot: true },
    );
    const ended = expect(read).rejects.toMatchObject({ code: "unavailable" });
    const end =
      "select pg_terminate_backend(pid) from pg_stat_activity where state = 'active' and query like '%as slept'";
    await until("the end", async () => (await control.query({ text: end, values: [] })).length > 0);
    await ended;
    const isGone = { status: "rejected", reason: { code: "unavailable" } };
    expect(outcomes).toMatchObject([{ status: "fulfilled", value: [{ one: 1 }] }, isGone, isGone]);
    expect(await sql.query({ text: texts[0]!, values: [] })).toEqual([{ one: 1 }]);
  });
});

describePostgres("When a transaction is ended for a deadlock", (_fresh, server) => {
  test("it fails as one that can be repeated, on the same connection", async () => {
    const database = openPatiently(await server().database());
    onTestFinished(() => database.close());
    const sql = database.sql({ connections: 1 });
    const pid = async () => (await sql.query({ text: "select pg_backend_pid() as pid", values: [] }))[0];
    const before = await pid();
    const text = "do $$ begin raise exception 'deadlock' using errcode = '40P01'; end $$";
    const transaction = sql.transaction((queries) => queries.query({ text, values: [] }), { snapshot: true });
    await expect(transaction).rejects.toMatchObject({ code: "unavailable", cause: { code: "40P01" } });
    expect(await pid()).toEqual(before);
  });
});
