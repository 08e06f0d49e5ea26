import { expect, test } from "vitest";
import { classify } from "../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../server/indexer/actions/trace-of-rows.js";
import { findTraces } from "../../server/inspect/find-trace.js";
import { readReport } from "../../server/inspect/read-report.js";
import type { TraceReport } from "../../server/inspect/report.js";
import { traceText } from "../../server/inspect/text/trace-text.js";
import type { Database } from "../../server/store/database.js";
import { sized } from "../helpers/effort.js";
import { contractsOf, type GoldenCase, goldenCase, rowsOf } from "../helpers/index/golden-case.js";
import { describeDatabases } from "../helpers/store/describe-databases.js";
import { describeWithTraces } from "../helpers/test-data.js";
import { storeCase } from "./stored-case.js";

async function explained(database: Pick<Database, "sql">, golden: GoldenCase): Promise<TraceReport> {
  const id = await storeCase(database, golden);
  const [trace] = await findTraces(database.sql(), id);
  return readReport(database.sql(), trace!, { explain: true });
}

/** The rows that the classifier gives of the case, as far as they do not depend on times. */
function expectedActions(golden: GoldenCase) {
  const { actions } = classify(traceOfRows(rowsOf(golden)), contractsOf(golden));
  return actions.map(({ action_id, parent_action_id = null, type, success, tx_hashes }) => ({
    action_id,
    parent_action_id,
    type,
    success,
    transactions: [...tx_hashes].sort(),
  }));
}

describeWithTraces("The explanation of a stored trace", (cases) => {
  // Errors are injected where the classifier is called with other parts.
  const goldens = cases.map((each) => ({ id: each.id, golden: goldenCase(each) }));
  const unchanged = goldens
    .filter(({ golden }) => !golden.modify?.classifier_error)
    .filter((_, place) => place % sized(20, 1) === 0);

  describeDatabases("in", (fresh) => {
    test("has the actions of the index and explains them", async () => {
      const sql = (await fresh()).sql();
      const database = { sql: () => sql };
      for (const { id, golden } of unchanged) {
        const report = await explained(database, golden);
        const byId = (a: { action_id: string }, b: { action_id: string }) =>
          a.action_id < b.action_id ? -1 : 1;
        const actions = report.actions.map(
          ({ action_id, parent_action_id, success, transactions, ...rest }) => ({
            action_id,
            parent_action_id,
            type: rest.type === "extra_currency_transfer" ? expect.any(String) : rest.type,
            success,
            transactions: [...transactions].sort(),
          }),
        );
        expect(actions.sort(byId), id).toEqual(expectedActions(golden).sort(byId));
        confirmBlocks(id, report);
        confirmText(id, report);
      }
    });
  });

  function confirmBlocks(id: string, { actions, explanation, transactions_order = [] }: TraceReport): void {
    const { blocks, state } = explanation!;
    if (state !== "ok") return;
    const messages = blocks.filter((block) => !block.is_composite);
    const received = messages.filter((block) => !block.is_log).flatMap((block) => block.transactions);
    expect(received.sort(), id).toEqual([...transactions_order].sort());
    for (const block of blocks.filter((each) => each.is_composite))
      expect(
        blocks.some(({ part_of }) => part_of === block.id),
        `${id}: ${block.kind} has no parts`,
      ).toBe(true);
    for (const { part_of, pattern, refusals } of blocks) {
      if (part_of === null) expect(pattern, id).toBe(null);
      for (const { reason, at } of refusals)
        expect([blocks[at] !== undefined, reason !== ""], id).toEqual([true, true]);
    }
    // A recognised action is a block made by a pattern.
    const made = new Set(
      blocks.flatMap((each) => (each.is_composite && each.action_id ? [each.action_id] : [])),
    );
    const plain = ["ton_transfer", "call_contract", "contract_deploy", "tick_tock", "unknown"];
    const isFallback = blocks.every(({ action_id }) => action_id === null);
    for (const { action_id, type } of actions)
      if (!plain.includes(type) && type !== "extra_currency_transfer" && !isFallback)
        expect(made.has(action_id), `${id}: ${type}`).toBe(true);
  }

  function confirmText(id: string, report: TraceReport): void {
    const lines = traceText(report, "GRAM", { columns: 100, hasColour: false });
    expect(Math.max(...lines.map((line) => [...line].length)), id).toBeLessThanOrEqual(100);
    expect(lines.join("").match(/\p{Cc}/u), id).toBe(null);
    expect(
      lines.filter((line) => /^ +#\d+ .{43}= lt/.test(line)),
      id,
    ).toHaveLength(report.transactions_order!.length);
  }
});
