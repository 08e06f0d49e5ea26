import { expect, it } from "vitest";
import { StatementNames } from "../../../server/store/wire/statement-names.js";
import { describeBothDatabases } from "../../helpers/store/describe-databases.js";

it("each of 500 texts has a name, and a further one that of the text that was not used for longest", () => {
  const names = new StatementNames();
  const texts = Array.from({ length: 500 }, (_, index) => `select ${index}`);
  const given = texts.map((text) => names.of(text));
  expect(new Set(given).size).toBe(500);
  expect(names.of("select 0")).toBe(given[0]);
  expect(["new", "newer"].map((text) => names.of(text))).toEqual([given[1], given[2]]);
  expect(["select 0", "new"].map((text) => names.of(text))).toEqual([given[0], given[1]]);
  expect(names.of("select 1")).toBe(given[3]);
});

describeBothDatabases("A connection", (fresh) => {
  it("answers more texts than have names, each as its own, while the server keeps 500 of them", async () => {
    const sql = (await fresh()).sql({ connections: 1 });
    const texts = Array.from({ length: 510 }, (_, index) => `select ${index} as "column ${index}"`);
    const ask = (text: string) => sql.query({ text, values: [], isPlannedOnce: true });
    for (let turn = 0; turn < 2; turn++)
      expect(await Promise.all(texts.map(ask))).toEqual(texts.map((_, at) => [{ [`column ${at}`]: at }]));
    const kept =
      "select count(*)::integer as n from pg_prepared_statements where statement ~ '^select [0-9]'";
    expect(await sql.query({ text: kept, values: [] })).toEqual([{ n: 499 }]);
  });
});
