import { expect, test } from "vitest";
import type { Classification } from "../../../server/indexer/actions/action.js";
import type { AfterPass } from "../../../server/indexer/actions/after-pass.js";
import { afterPasses, classify } from "../../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { contractsOf, type GoldenCase, goldenCase, rowsOf } from "../../helpers/index/golden-case.js";
import { describeWithTraces } from "../../helpers/test-data.js";
import { shownAction, shownReference } from "./golden-columns.js";

const fail: AfterPass = () => {
  throw new Error("injected by the case");
};

function classified(golden: GoldenCase, rows = rowsOf(golden)): Classification {
  return classify(traceOfRows(rows), contractsOf(golden), {
    afterPasses: golden.modify?.classifier_error ? [...afterPasses, fail] : afterPasses,
  });
}

describeWithTraces("The classifier", (cases) => {
  for (const each of cases) {
    const golden = goldenCase(each);
    test(`gives the rows of ${each.id}`, () => {
      const { state, actions } = classified(golden);
      expect({ state, actions: actions.map(shownAction) }).toEqual({
        state: golden.reference.state,
        actions: golden.reference.actions.map(shownReference),
      });
    });
  }

  test("gives the same rows for any order of transactions and messages", () => {
    for (const each of cases) {
      const golden = goldenCase(each);
      const rows = rowsOf(golden);
      const reversed = {
        ...rows,
        transactions: rows.transactions.toReversed(),
        messages: rows.messages.toReversed(),
      };
      expect(classified(golden, reversed), each.id).toEqual(classified(golden, rows));
    }
  });
});
