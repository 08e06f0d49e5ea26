import { expect, it } from "vitest";
import type { Action } from "../../../client/api.js";
import { groupAlike } from "../../../server/web/explorer/actions/groups.js";

const action = (fields: object) =>
  ({
    trace_id: "a",
    type: "ton_transfer",
    success: true,
    finality: "finalized",
    details: { source: "0:A" },
    ...fields,
  }) as unknown as Action;
const sizes = (actions: readonly Action[]) => groupAlike(actions).map(({ length }) => length);
const many = (count: number, fields: object = {}) => Array.from({ length: count }, () => action(fields));

it("Thirty payouts of one account are a group, and three are not", () => {
  expect(sizes(many(30))).toEqual([30]);
  expect(sizes(many(3))).toEqual([1, 1, 1]);
});

it("Actions of another trace, type, outcome or account begin a new group", () => {
  for (const other of [
    { trace_id: "b" },
    { type: "jetton_transfer" },
    { success: false },
    { finality: "pending" },
    { details: { source: "0:B" } },
    { details: { sender: "0:B" } },
  ])
    expect(sizes([...many(4), ...many(4, other), ...many(1)])).toEqual([4, 4, 1]);
});

it("Details of any form are grouped without failing", () => {
  expect(sizes(many(5, { details: {} }))).toEqual([5]);
  expect(sizes(many(5, { details: { source: { a: 1 } } }))).toEqual([5]);
});
