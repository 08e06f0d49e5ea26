import { expect, test } from "vitest";
import { findTraces } from "../../server/inspect/find-trace.js";
import { readReport } from "../../server/inspect/read-report.js";
import { traceText } from "../../server/inspect/text/trace-text.js";
import type { Database } from "../../server/store/database.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import {
  accountOf,
  bytesOf,
  hashOf,
  messageRow,
  storeRows,
  traceRow,
  transactionRow,
} from "../helpers/store/rows.js";

const external = hashOf("external");
const account = bytesOf(accountOf("a"));

/** Traces of one transaction each that the same external message began, and the state of each. */
async function storeTraces(database: Database, states: readonly number[]): Promise<Uint8Array[]> {
  const transactions = states.map((_, i) => transactionRow({ account, lt: BigInt(10 * i + 1) }));
  const ids = transactions.map(({ hash }) => hash);
  await storeRows(database, {
    transactions: transactions.map((row) => ({ ...row, trace_id: row.hash, descr: 0 })),
    messages: transactions.map(({ hash: tx_hash, lt: tx_lt }) =>
      messageRow({
        tx_hash,
        tx_lt,
        msg_hash: external,
        direction: 0,
        is_first: true,
        destination: account,
      }),
    ),
    traces: transactions.map(({ hash, lt }, i) =>
      traceRow({
        ...{ trace_id: hash, external_hash: external, start_lt: lt, state: states[i]! },
        pending_edges_: states[i] === pending ? 2 : 0,
      }),
    ),
  });
  return ids;
}

const [pending, complete, broken] = [0, 1, 2];

describeDatabases("A trace", (fresh) => {
  test("is found by its id, a transaction and a message, the newest first", async () => {
    const database = await fresh();
    const ids = await storeTraces(database, [complete, complete, pending]);
    const found = async (hash: Uint8Array) => (await findTraces(database.sql(), hash)).map(({ id }) => id);
    for (const id of ids) expect(await found(id)).toEqual([id]);
    expect(await found(external)).toEqual(ids.toReversed());
    expect(await found(hashOf("something else"))).toEqual([]);
  });

  test("that is not complete is shown, but not explained", async () => {
    const database = await fresh();
    const [waiting, torn] = await storeTraces(database, [pending, broken]);
    const report = async (id: Uint8Array, explain: boolean) => {
      const [trace] = await findTraces(database.sql(), id);
      return readReport(database.sql(), trace!, { explain });
    };
    const lines = traceText(await report(waiting!, false), "TON", { columns: undefined, hasColour: false });
    expect(lines).toContain("  none: they are derived when the trace is complete");
    expect(lines.find((line) => line.startsWith("pending"))).toContain("2 messages not received yet");
    await expect(report(waiting!, true)).rejects.toThrow(
      "the trace is not complete, which explanations need: 2 of its messages have not been received",
    );
    await expect(report(torn!, true)).rejects.toThrow("its start is not in the index");
  });
});
