import { expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../server/store/database.js";
import { openPostgres } from "../../../server/store/wire/postgres.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";

describePostgres("What pg reads itself", (fresh, server) => {
  const read = async (database: Database) => {
    const sql = database.sql({ statementTimeoutMs: 120_000 });
    const statement = {
      text: `select number, repeat(chr(224 + number % 10), 300) as word, null as nothing, $1::bytea as bytes,
          array['a "b"', null] as list, 2::numeric ^ 80 as big, number % 2 = 0 as flag
        from generate_series(1, 200) number`,
      values: [new Uint8Array([0, 255])],
    };
    type Texts = { number: Uint8Array; word: Uint8Array; nothing: null; flag: Uint8Array };
    const fromBytes = ({ number, word, nothing, flag }: Texts) => `${number} ${word} ${nothing} ${flag}`;
    const inSnapshot = await sql.transaction(
      (queries) =>
        Promise.all([
          queries.query(statement),
          queries.query({ ...statement, fromBytes }),
          queries.query({ ...statement, isPlannedOnce: true, isLast: true }),
        ]),
      { snapshot: true },
    );
    const failed = await sql.query({ text: "select 1 / $1::integer", values: [0] }).catch(({ code }) => code);
    return [await sql.query(statement), ...inSnapshot, failed, await sql.query({ ...statement, fromBytes })];
  };

  test("is the same", async () => {
    const usual = await read(await fresh());
    const database = openPostgres(await server().databaseWithSchema(), { readsBytes: false });
    onTestFinished(() => database.close());
    expect(await read(database)).toEqual(usual);
    expect(usual).toMatchObject([
      { length: 200 },
      { length: 200 },
      { length: 200 },
      { length: 200 },
      "22012",
      {},
    ]);
  });
});
