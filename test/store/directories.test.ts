import SQL from "sql-template-tag";
import { expect, test } from "vitest";
import type { Database } from "../../server/store/database.js";
import { migrate } from "../../server/store/migrate.js";
import { describeDatabases } from "../helpers/describe-databases.js";
import { queriesOf } from "../helpers/queries-of.js";
import { hashOf, storeRows } from "../helpers/rows.js";
import { sampleIndex } from "../helpers/sample-index.js";
import { dumpTables } from "../helpers/tables.js";

const directories = ["tx_locator", "msg_locator", "account_slots", "account_traces"];

/** The traces of the sample; every third is not complete. */
function sampleTraces() {
  const { transactions } = sampleIndex();
  const ids = new Map(transactions.map((row) => [Buffer.from(row.trace_id).toString("hex"), row.trace_id]));
  return [...ids.values()].map((trace_id, i) => ({
    trace_id,
    external_hash: hashOf(`external ${i}`),
    mc_seqno_start: 1,
    mc_seqno_end: 1,
    start_lt: 1n,
    start_utime: 100,
    end_lt: BigInt(10 + i),
    end_utime: 110,
    state: i % 3 === 0 ? 0 : 1,
    pending_edges_: 0,
    edges_: 1,
    nodes_: 1,
  }));
}

async function dump(database: Database) {
  const slots = await queriesOf(database).query(SQL`select * from slots order by from_lt`);
  return { slots, ...(await dumpTables(database, directories)) };
}

describeDatabases("An index of version 0.1.0", (fresh) => {
  test("gets the directories that it would have had", async () => {
    const database = await fresh();
    await storeRows(database, { ...sampleIndex(), traces: sampleTraces() });
    const expected = await dump(database);
    expect(Object.values(expected).every((rows) => rows.length > 0)).toBe(true);
    await database.sql({ connections: 1 }).transaction((transaction) =>
      transaction.script(`
        drop table slots, ${directories.join(", ")};
        drop function hash_prefix;
        drop index messages_by_body, messages_by_route, messages_by_body_tx, messages_by_opcode_tx,
          messages_by_source_tx, messages_by_destination_tx;
        create index messages_by_body on messages (body_hash);
        create index transactions_by_account_trace on transactions (account, trace_id);
        delete from schema_migrations where number >= 11`),
    );
    await migrate(database.sql({ connections: 1 }));
    expect(await dump(database)).toEqual(expected);
  });
});
