import { describe, expect, it } from "vitest";
import type { Action } from "../../../client/api.js";
import { actionRows } from "../../../server/web/explorer/actions/action-rows.js";
import { AnswerNames } from "../../../server/web/explorer/actions/answer-names.js";
import { foldActions } from "../../../server/web/explorer/actions/fold.js";
import { movesOf } from "../../../server/web/explorer/actions/moves.js";

const [ann, ben, master] = ["A", "B", "C"].map((digit) => `0:${digit.repeat(64)}`) as [
  string,
  string,
  string,
];

const action = (fields: object) =>
  ({
    trace_id: "a",
    type: "ton_transfer",
    success: true,
    finality: "finalized",
    end_utime: 1,
    transactions: ["order", "receipt"],
    details: { source: ann, destination: ben, value: "1500000000" },
    ...fields,
  }) as unknown as Action;

const waysOf = (fields: object, account?: string) =>
  movesOf(action(fields), account).map(({ amount, way }) => [amount.role, way]);

describe("Amounts of an action", () => {
  it("have the direction that they have for the account that looks, in any form of its letters", () => {
    expect(waysOf({}, ann)).toEqual([["value", "out"]]);
    expect(waysOf({}, ben.toLowerCase())).toEqual([["value", "in"]]);
    expect(waysOf({}, master)).toEqual([["value", undefined]]);
    expect(waysOf({})).toEqual([["value", undefined]]);
    expect(waysOf({ details: { source: ann, destination: ann, value: "1" } }, ann)).toEqual([
      ["value", undefined],
    ]);
  });

  it("go both ways in a swap, and a limit is none of them", () => {
    const details = {
      dex: "stonfi",
      sender: ann,
      asset_out: master,
      min_out_amount: "2",
      dex_incoming_transfer: { asset: null, amount: "1" },
      dex_outgoing_transfer: { asset: master, amount: "3" },
      peer_swaps: [],
    };
    expect(waysOf({ type: "jetton_swap", details }, ann)).toEqual([
      ["amount_in", "out"],
      ["amount_out", "in"],
    ]);
  });

  it("are none of an action without payments, of an unknown type, or whose details are of another version", () => {
    expect(waysOf({ type: "nft_put_on_sale", details: { owner: ann, full_price: "5" } }, ann)).toEqual([]);
    expect(waysOf({ type: "constructor", details: { source: ann, value: "5" } }, ann)).toEqual([]);
    expect(waysOf({ type: "jetton_swap", details: { value: "5" } }, ann)).toEqual([]);
  });
});

describe("Deployments and returned messages", () => {
  const deployed = action({
    type: "contract_deploy",
    details: { source: ann, destination: ben, value: "1" },
  });
  const returned = action({
    type: "call_contract",
    transactions: ["receipt", "return"],
    details: { opcode: "0xffffffff", source: ben, destination: ann, value: "1490000000" },
  });

  it("fold into the action that made them and into the one that failed", () => {
    const [paid, failed] = [action({}), action({ success: false })];
    expect(foldActions([deployed, paid])).toEqual({ actions: [paid], parts: new Map([[paid, [deployed]]]) });
    expect(foldActions([returned, failed])).toEqual({
      actions: [failed],
      parts: new Map([[failed, [returned]]]),
    });
  });

  it("stay alone beside actions of other transactions, and beside one that did not fail", () => {
    for (const others of [[], [action({ transactions: ["other"] })], [deployed]])
      expect(foldActions([returned, ...others]).actions).toEqual([returned, ...others]);
    const succeeded = action({});
    expect(foldActions([returned, succeeded]).actions).toEqual([returned, succeeded]);
    const none = action({ type: "contract_deploy", transactions: [] });
    expect(foldActions([none, action({})]).parts.size).toBe(0);
  });
});

describe("A line of a list", () => {
  const failure = {
    account: ben,
    source: ann,
    opcode: "0x0f8a7ea5",
    operation: "jetton_transfer",
    phase: "compute",
    exit_code: 706,
    exit_name: "not-enough-jettons",
    exit_meaning: "Not enough jettons.",
    skipped_reason: null,
    skipped_actions: 0,
  };
  const rowsOf = (actions: readonly Action[], account?: string) =>
    actionRows(actions, { names: new AnswerNames({}), account })
      .text.replace(/<button.*?<\/button>/g, "")
      .replace(/<[^>]*>/g, "|");

  it("names the operation that failed with the reason, and its amount is without a sign", () => {
    const details = { opcode: "0x0f8a7ea5", source: ann, destination: ben, value: "1000000000" };
    const failed = action({ type: "call_contract", success: false, details, failure });
    const shown = rowsOf([failed], ann);
    expect(shown).toContain("|Failed: |");
    expect(shown).toContain(" called jetton transfer of ");
    expect(shown).toContain(" stopped with exit code 706 (not enough jettons)|");
    expect(shown).toContain("|1 TON|");
    expect(shown).not.toMatch(/[−+]1 TON/);
    const other = { ...failed, failure: { ...failure, opcode: "0x178d4519" } };
    expect(rowsOf([other as Action])).toContain(" with opcode 0x0f8a7ea5");
  });

  it("has amounts with signs, and what came with it", () => {
    const deployed = action({ type: "contract_deploy" });
    expect(rowsOf([deployed, action({})], ann)).toMatch(/\|−1\.5 TON\|.*\|deployed \|/s);
    expect(rowsOf([action({})], ben)).toContain("|+1.5 TON|");
    expect(rowsOf([action({})])).toContain("|1.5 TON|");
  });
});
