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

it("Actions are alike only if trace, type, outcome, gasless request, account, token and opcode are the same", () => {
  for (const other of [
    { trace_id: "b" },
    { type: "jetton_transfer" },
    { success: false },
    { finality: "pending" },
    { parent_gasless_action: "c" },
    { details: { source: "0:B" } },
    { details: { sender: "0:B" } },
    { details: { source: "0:A", asset: "0:C" } },
    { details: { source: "0:A", opcode: "0x00000001" } },
  ])
    expect(sizes([...many(4), ...many(4, other), ...many(1)])).toEqual([5, 4]);
});

it("Others between them stay in their order after the first", () => {
  const deployed = (value: string) => action({ type: "contract_deploy", details: { source: "0:A", value } });
  const mixed = [...many(2), deployed("1"), ...many(1), deployed("2"), ...many(1)];
  const groups = groupAlike(mixed);
  expect(groups.map(({ length }) => length)).toEqual([4, 1, 1]);
  expect(groups[1]).toEqual([deployed("1")]);
});

it("Details of any form are grouped without failing", () => {
  expect(sizes(many(5, { details: {} }))).toEqual([5]);
  expect(sizes(many(5, { details: { source: { a: 1 } } }))).toEqual([5]);
});
