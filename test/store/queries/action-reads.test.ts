import { expect, test } from "vitest";
import { listActions } from "../../../server/store/queries/traces/actions.js";
import { accountsOfAction, locatorOfAction } from "../../../server/store/tables/actions.js";
import { describePostgres } from "../../helpers/store/describe-databases.js";
import { type Explained, ExplainedSql } from "../../helpers/store/explained-sql.js";
import { leaveStatistics, nodesOf } from "../../helpers/store/measured-reads.js";
import { queriesOf } from "../../helpers/store/queries-of.js";
import { accountOf, actionRow, blockRow, bytesOf, hashOf, storeRows } from "../../helpers/store/rows.js";

const account = accountOf("a");
const blocks = Array.from({ length: 400 }, (_, i) => blockRow({ seqno: i + 1, gen_utime: i + 1 }));
/** Of each block ten calls of contracts, and of every fortieth a transfer. */
const actions = blocks.flatMap(({ seqno, start_lt }) =>
  Array.from({ length: seqno % 40 === 0 ? 11 : 10 }, (_, i) => {
    const [trace_id, action_id] = [hashOf(`trace ${seqno} ${i}`), hashOf(`action ${seqno} ${i}`)];
    const type = i === 10 ? "ton_transfer" : "call_contract";
    const place = { lt: start_lt + BigInt(i % 5), now: seqno, seqno };
    return actionRow(place, { trace_id, action_id, type, accounts: [bytesOf(account)] });
  }),
);
const types = { wanted: ["call_contract", "ton_transfer"], ancestors: [] };
const transfers = { wanted: ["ton_transfer"], ancestors: [], areNamed: true };

const reads = {
  "of one type from a time on": [{ account, types: transfers, start_utime: 50 }, [400, 360, 320]],
  "of one type up to a time": [{ account, types: transfers, end_utime: 250 }, [240, 200, 160]],
  "but one type": [
    { account, types: { ...types, excluded: ["call_contract"] }, start_utime: 50, end_utime: 250 },
    [240, 200, 160],
  ],
  "with ids": [{ account, types, action_id: [hashOf("action 3 1"), hashOf("action 390 1")] }, [390, 3]],
  "with an id, from a time on": [
    { account, types, action_id: [hashOf("action 390 1")], start_utime: 5 },
    [390],
  ],
  "of a masterchain block, from a time on": [
    { account, types, mc_seqno: 200, start_utime: 5 },
    [200, 200, 200],
  ],
  "of any account with ids, between two times": [
    { types, action_id: [hashOf("action 3 1"), hashOf("action 390 1")], start_utime: 2, end_utime: 395 },
    [390, 3],
  ],
  "of any account and one type, from a time on": [{ types: transfers, start_utime: 50 }, [400, 360, 320]],
} as const;

describePostgres("Actions of an account with many", (fresh) => {
  test("are found among few rows", async () => {
    const database = await fresh();
    await storeRows(database, {
      blocks,
      shardState: blocks.map(({ workchain, shard, seqno, start_lt }) => {
        return { workchain, shard, seqno, mc_seqno: seqno, start_lt };
      }),
      actions,
      actionLocator: actions.map(locatorOfAction),
      actionAccounts: actions.flatMap(accountsOfAction),
    });
    await leaveStatistics(database);
    const sql = new ExplainedSql(queriesOf(database));
    const seen: Record<string, number> = {};
    for (const [name, [filter, expected]] of Object.entries(reads)) {
      const page = { limit: 3, offset: 0, sort: "desc" } as const;
      const explained = await sql.explain(() =>
        sql.transaction(
          async (snapshot) => {
            const found = await listActions(snapshot, filter, page);
            expect(
              found.map(({ trace_end_utime }) => trace_end_utime),
              name,
            ).toEqual(expected);
          },
          { snapshot: true },
        ),
      );
      seen[name] = seenIn(explained);
    }
    expect(Object.entries(seen).filter(([, rows]) => rows > 100)).toEqual([]);
  });
});

/** How many rows of actions and of their entries were looked at. */
function seenIn(explained: readonly Explained[]): number {
  return explained
    .flatMap(({ plan }) => nodesOf(plan))
    .filter((node) => node["Relation Name"]?.startsWith("action"))
    .reduce(
      (sum, node) =>
        sum + (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
      0,
    );
}
