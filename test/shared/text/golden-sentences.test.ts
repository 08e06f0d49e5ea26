import { describe, expect, it, test } from "vitest";
import { actionText } from "../../../client/text/index.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { type ActionType, actionTypes } from "../../../shared/schema/v3-actions.js";
import type { TraceFailure } from "../../../shared/schema/v3-message-status.js";
import { type Preview, preview } from "../../../shared/schema/v3-texts.js";
import { actionsOfConstructed, constructedActions } from "../../helpers/index/constructed-actions.js";
import { contractsOf, goldenCase, rowsOf } from "../../helpers/index/golden-case.js";
import { describeWithTraces } from "../../helpers/test-data.js";
import { goldens } from "./golden/all.js";
import { extras, known } from "./golden/people.js";

const textsOf = (type: ActionType, details: object, failure?: TraceFailure | null) => {
  const success = failure === undefined;
  const action = { type, details, success, transactions: ["first", "second"], failure };
  return actionText(action, { known, ...extras });
};

/** The parts of a preview, as golden files have them. */
const partsOf = ({ icon, title, values, accounts }: Preview) => ({
  icon,
  title,
  values: values.map((each) => [each.role, each.amount, each.asset, each.symbol, each.decimals, each.text]),
  accounts: accounts.map(({ role, account, name }) => [role, account, name]),
});

describe("Golden sentences", () => {
  it("exist for every type of action", () => {
    expect(Object.keys(goldens).sort()).toEqual([...actionTypes].sort());
  });

  it.each(actionTypes)("say what was done: %s", (type) => {
    const { details, text, icon, title, values, accounts } = goldens[type];
    const found = textsOf(type, details);
    expect(found.text).toBe(text);
    expect(preview.parse(found.preview)).toEqual(found.preview);
    expect(partsOf(found.preview)).toEqual({ icon, title, values, accounts });
  });

  it.each(actionTypes.filter((type) => goldens[type].failed))("say what failed, and why: %s", (type) => {
    const { details, icon, title, values, accounts, failed } = goldens[type];
    const found = textsOf(type, { ...details, ...failed?.details }, failed?.failure);
    expect(found.text).toBe(failed?.text);
    expect(partsOf(found.preview)).toEqual({
      icon,
      title,
      values: failed?.values ?? values,
      accounts: failed?.accounts ?? accounts,
    });
  });
});

describeWithTraces("Failures of recorded and constructed actions", (cases) => {
  const recorded = cases.flatMap((each) => {
    const golden = goldenCase(each);
    return classify(traceOfRows(rowsOf(golden)), contractsOf(golden)).actions;
  });
  const constructed = Object.values(constructedActions).flatMap(actionsOfConstructed);

  test("are of types whose golden sentences include a failure", () => {
    const failing = [...recorded, ...constructed].filter(({ success }) => !success);
    expect(failing.length).toBeGreaterThan(0);
    expect(failing.filter(({ type }) => goldens[type as ActionType].failed === null)).toEqual([]);
  });
});
