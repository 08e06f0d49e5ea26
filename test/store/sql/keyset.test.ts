import fc from "fast-check";
import SQL, { join } from "sql-template-tag";
import { expect, it } from "vitest";
import { ServiceError } from "../../../server/errors.js";
import {
  behindCursor,
  branchesBehind,
  inOrder,
  type KeyOrder,
  type KeyType,
  keyAfter,
  keyOfText,
  keyText,
  noteLast,
} from "../../../server/store/sql/keyset.js";
import { all, paged } from "../../../server/store/sql/where.js";
import { ListCursor } from "../../../shared/values/list-cursor.js";
import { describeDatabase } from "../../helpers/store/describe-databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";

const directions = fc.constantFrom("asc" as const, "desc" as const);
const orders = fc.tuple(directions, directions, directions).map(
  ([a, b, c]): KeyOrder => [
    ["r.a", "integer", a],
    ["r.b", "numeric", b],
    ["r.c", "hash", c],
  ],
);

describeDatabase("Rows behind a key", (fresh) => {
  it("are those that follow it in any order, by one condition and by branches", async () => {
    const queries = queriesOf(await fresh());
    const rows = SQL`(
      select a, b::numeric as b, decode(lpad(to_hex(c), 64, '0'), 'hex') as c
      from generate_series(-1, 1) a, generate_series(0, 2) b, generate_series(1, 3) c) r`;
    await fc.assert(
      fc.asyncProperty(orders, fc.integer({ min: 1, max: 9 }), async (order, limit) => {
        const select = (from: unknown) =>
          queries.query<{ key: string }>(SQL`select ${keyText(order)} as key from ${from as typeof rows}`);
        const whole = await select(SQL`${rows} order by ${inOrder(order)}`);
        const found: { key: string }[] = [];
        for (let cursor: ListCursor | undefined = new ListCursor(); cursor; ) {
          const page = { limit, offset: 0, cursor };
          const next = await select(
            SQL`${rows} where ${all(behindCursor(order, page))} order by ${inOrder(order)} ${paged(page)}`,
          );
          const branches = branchesBehind(order, cursor.after).map(
            (branch) => SQL`(select * from ${rows} where ${branch})`,
          );
          if (branches.length > 0)
            expect(
              await select(
                SQL`(${join(branches, " union all ")}) r order by ${inOrder(order)} ${paged(page)}`,
              ),
            ).toEqual(next);
          found.push(...next);
          noteLast(page, next, (last) => keyOfText(order, last.key));
          cursor = cursor.next && new ListCursor(cursor.next);
        }
        expect(found).toEqual(whole);
      }),
      { numRuns: 8 },
    );
  });
});

it.each([
  ["of another length", ["bigint", "bigint"], [1n]],
  ["of another type", ["hash"], [1n]],
  ["an integer beyond 32 bits", ["integer"], [2n ** 31n]],
  ["a bigint beyond 64 bits", ["bigint"], [-(2n ** 63n) - 1n]],
  ["a hash that is too short", ["hash"], [new Uint8Array(31)]],
  ["an account that is too short", ["account"], [new Uint8Array(32)]],
  ["a text with the character 0", ["text"], ["a\0"]],
] as const)("refuses a key: %s", (_, types, after) => {
  expect(() => keyAfter(ordered(types), after)).toThrow(ServiceError);
});

const ordered = (types: readonly KeyType[]) => types.map((type) => ["", type] as const);

it("takes keys that fit", () => {
  const key = [
    -(2n ** 63n),
    2n ** 31n - 1n,
    new Uint8Array(32),
    new Uint8Array(33),
    "a.ton",
    2n ** 120n,
  ] as const;
  expect(keyAfter(ordered(["bigint", "integer", "hash", "account", "text", "numeric"]), key)).toBe(key);
});

it("notes the last key of a full page only", () => {
  const cursor = new ListCursor();
  const page = { limit: 2, offset: 0, cursor };
  noteLast(page, [1n], (last) => [last]);
  expect(cursor.next).toBeUndefined();
  noteLast(page, [1n, 2n], (last) => [last]);
  expect(cursor.next).toEqual([2n]);
});
