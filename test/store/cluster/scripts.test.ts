import { expect, test } from "vitest";
import { statementsOf } from "../../../server/store/queries/cluster/scripts.js";
import { knownMigrations } from "../../../server/store/sql/schemas.js";

test("A script is divided into its statements, without comments", () => {
  const script = `-- first; not a statement
    create table a (b text default 'x;''y', "c;d" int); /* none; here */
    do $$ begin perform 1; end $$;
    create function f() returns text language sql as $of$ select '$$;' $of$;
    select 4 / 2 - 1;
    ;`;
  expect(statementsOf(script)).toEqual([
    `create table a (b text default 'x;''y', "c;d" int)`,
    "do $$ begin perform 1; end $$",
    "create function f() returns text language sql as $of$ select '$$;' $of$",
    "select 4 / 2 - 1",
  ]);
});

test("Scripts of migrations are divided where statements begin", () => {
  const begins = /^(create|alter|insert|do|drop|update|select|with|comment|delete)\b/;
  const all = knownMigrations().flatMap(({ script }) => statementsOf(script()));
  expect(all.length).toBeGreaterThan(50);
  expect(all.filter((each) => !begins.test(each))).toEqual([]);
});
