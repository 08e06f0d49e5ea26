import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Queries } from "../../../server/store/database.js";
import { unitsOfAccounts } from "../../../server/store/queries/blocks/units-of-accounts.js";
import { listActions } from "../../../server/store/queries/traces/actions.js";
import { type ActionRow, accountsOfAction } from "../../../server/store/tables/actions.js";
import { accountKey } from "../../../server/store/tables/directories.js";
import { databaseKinds, type FreshDatabase } from "../../helpers/store/databases.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { accountOf, actionRow, blockRow, bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";

const [own, stranger] = [accountOf("a"), accountOf("b")];
const key = accountKey(bytesOf(own));
const types = ["ton_transfer", "jetton_transfer", "call_contract", "tgbtc_mint", "a type of later versions"];
const ancestors = [
  [],
  ["jetton_swap"],
  ["tgbtc_mint"],
  ["tgbtc_mint", "jetton_swap"],
  ["another later type"],
];
const strangers = 250;

/** Rows of each type and list of ancestors, several times. */
const ownActions = Array.from({ length: 3 * types.length * ancestors.length }, (_, i) =>
  actionAt(strangers + i + 1, {
    type: types[i % types.length]!,
    ancestor_type: ancestors[Math.floor(i / types.length) % ancestors.length]!,
    accounts: [bytesOf(own)],
    ...(i % 4 === 0 && { initiator: 1 }),
  }),
);
const strangeActions = Array.from({ length: strangers }, (_, i) =>
  actionAt(i + 1, {
    ...{ type: types[i % types.length]!, ancestor_type: [], accounts: [bytesOf(stranger)] },
    ...(i % 2 === 0 && { initiator: 1 }),
  }),
);
const last = strangers + ownActions.length;

/** The only action of its trace, which ends in this block. */
function actionAt(
  seqno: number,
  special: Pick<ActionRow, "type" | "ancestor_type" | "accounts"> & { initiator?: number },
): ActionRow {
  const names = { trace_id: hashOf(`trace ${seqno}`), action_id: hashOf(`action ${seqno}`) };
  return actionRow({ lt: BigInt(seqno) * 10n, now: seqno, seqno }, { ...names, ...special });
}

describe.each(databaseKinds)("Actions of an account on %s", (_, open) => {
  let fresh: FreshDatabase;
  let queries: Queries;
  beforeAll(async () => {
    fresh = await open();
    queries = queriesOf(fresh.database);
    await storeRows(fresh.database, {
      blocks: Array.from({ length: last + 100 }, (_, i) => blockRow({ seqno: i + 1, gen_utime: i + 1 })),
      actions: [...ownActions, ...strangeActions],
      // The accounts have the same key, which anybody can bring about.
      actionAccounts: [...ownActions, ...strangeActions]
        .flatMap(accountsOfAction)
        .map((row) => ({ ...row, account_key: key })),
    });
  });
  afterAll(() => fresh.close());

  const named = [
    ["ton_transfer"],
    ["jetton_transfer", "tgbtc_mint"],
    ["a type of later versions"],
    ["subscribe"],
  ];
  const supported = [["jetton_swap"], ["jetton_swap", "tgbtc_mint"], ["another later type"], []];
  test.each(named.flatMap((wanted) => supported.map((parts) => ({ wanted, parts }))))(
    "are those of the types $wanted that are no part of $parts, page by page",
    async ({ wanted, parts }) => {
      const expected = ownActions.filter(
        ({ type, ancestor_type }) =>
          wanted.includes(type) && !ancestor_type.some((ancestor) => parts.includes(ancestor)),
      );
      for (const sort of ["asc", "desc"] as const) {
        const found: ActionRow[] = [];
        for (let offset = 0; offset <= expected.length; offset += 7) {
          const filter = { account: own, types: { wanted, ancestors: parts, areNamed: true } };
          found.push(...(await listActions(queries, filter, { limit: 7, offset, sort })));
        }
        const inOrder = sort === "asc" ? expected : expected.toReversed();
        expect(found.map(({ trace_end_lt }) => trace_end_lt)).toEqual(
          inOrder.map(({ trace_end_lt }) => trace_end_lt),
        );
      }
    },
  );

  test.each([true, false])("in traces that it began or not are found: %s", async (initiated_by_account) => {
    const filter = { account: own, initiated_by_account, types: { wanted: types, ancestors: [] } };
    const found = await listActions(queries, filter, { limit: 100, offset: 0, sort: "asc" });
    const expected = ownActions.filter(({ initiator }) => (initiator === 1) === initiated_by_account);
    expect(found.map(({ trace_end_lt }) => trace_end_lt)).toEqual(
      expected.map(({ trace_end_lt }) => trace_end_lt),
    );
  });

  test("of excluded types are left out", async () => {
    const filter = { account: own, types: { wanted: types, ancestors: [], excluded: types.slice(1) } };
    const found = await listActions(queries, filter, { limit: 100, offset: 0, sort: "asc" });
    const expected = ownActions.filter(({ type }) => type === types[0]);
    expect(found.map(({ trace_end_lt }) => trace_end_lt)).toEqual(
      expected.map(({ trace_end_lt }) => trace_end_lt),
    );
  });

  test("by times within bounds of lt are those of both", async () => {
    const bounds = { start_utime: strangers + 10, end_lt: BigInt(strangers + 30) * 10n };
    const filter = { ...bounds, types: { wanted: types, ancestors: [] } };
    const found = await listActions(queries, filter, { limit: 100, offset: 0, sort: "asc" });
    expect(found.map(({ trace_end_utime }) => trace_end_utime)).toEqual(
      ownActions
        .map(({ trace_end_utime }) => trace_end_utime)
        .filter((time) => time >= strangers + 10 && time <= strangers + 30),
    );
  });

  test("lead to their blocks, behind many of another account with the same key", async () => {
    const span = { first: 70, last: last + 60 };
    const { units } = await unitsOfAccounts(queries, [bytesOf(own)], "actions", span);
    expect(units).toEqual(ownActions.map(({ trace_mc_seqno_end }) => trace_mc_seqno_end));
  });
});
