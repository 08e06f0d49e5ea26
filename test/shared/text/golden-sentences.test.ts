import { describe, expect, it, test } from "vitest";
import { actionText } from "../../../client/text/index.js";
import { classify } from "../../../server/indexer/actions/classify.js";
import { traceOfRows } from "../../../server/indexer/actions/trace-of-rows.js";
import { type ActionType, actionTypes } from "../../../shared/schema/v3/actions.js";
import type { TraceFailure } from "../../../shared/schema/v3/message-status.js";
import { preview } from "../../../shared/schema/v3/texts.js";
import { actionsOfConstructed, constructedActions } from "../../helpers/index/constructed-actions.js";
import { contractsOf, goldenCase, rowsOf } from "../../helpers/index/golden-case.js";
import { describeWithTraces } from "../../helpers/test-data.js";
import { goldens } from "./golden/all.js";
import { detailsWith } from "./golden/details.js";
import { shownOf } from "./golden/golden.js";
import { extras, known } from "./golden/people.js";

const textsOf = (type: ActionType, details: object, failure?: TraceFailure | null) => {
  const success = failure === undefined;
  const action = { type, details, success, transactions: ["first", "second"], failure };
  return actionText(action, { known, ...extras });
};

/** The golden sentence of a failure, as part of which another sentence begins in small letters. */
function failedSentence(says: string, reason: string | undefined): string {
  const sentence = `Failed: ${says.charAt(0).toLowerCase()}${says.slice(1)}`;
  return reason === undefined ? sentence : `${sentence}; ${reason}`;
}

function expectShown(found: ReturnType<typeof textsOf>, type: ActionType, says: string, details: object) {
  const [icon, title] = goldens[type].shown;
  const { text, values, accounts } = shownOf(says, details);
  expect(found).toEqual({ text, preview: { icon, title, values, accounts } });
}

describe("Golden sentences", () => {
  it("exist for every type of action", () => {
    expect(Object.keys(goldens).sort()).toEqual([...actionTypes].sort());
  });

  it.each(actionTypes)("say what was done: %s", (type) => {
    const details = detailsWith(type, goldens[type].details);
    const found = textsOf(type, details);
    expectShown(found, type, goldens[type].says, details);
    expect(preview.parse(found.preview)).toEqual(found.preview);
  });

  it.each(actionTypes.filter((type) => goldens[type].failed))("say what failed, and why: %s", (type) => {
    const { failed, ...golden } = goldens[type];
    const details = { ...detailsWith(type, golden.details), ...failed?.details };
    const says = failedSentence(failed?.says ?? golden.says, failed?.reason);
    expectShown(textsOf(type, details, failed?.failure), type, says, details);
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
    expect(failing.filter(({ type }) => goldens[type as ActionType].failed === undefined)).toEqual([]);
  });
});
