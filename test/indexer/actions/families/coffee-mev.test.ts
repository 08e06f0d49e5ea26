import { describe, expect, it } from "vitest";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { call } from "./liquidity-messages.js";
import { columnsOf, partsLast } from "./liquidity-rows.js";

const [alice, holder, usd] = accounts("alice, holder, usd");
const known = walletsOf([alice, holder], [usd]);

function rowsOf(root: MadeMessage, contracts = known): unknown[] {
  return partsLast(actionsOf(root, contracts)).map((action) =>
    action.type === "coffee_mev_protect_hold_funds" || action.type === "coffee_mev_protect_failed_swap"
      ? { type: action.type, ...columnsOf(action) }
      : action.type,
  );
}

const sentBy = (...sends: MadeMessage[]): MadeMessage => ({ to: alice, sends });

describe("Funds held at swap.coffee", () => {
  const type = "coffee_mev_protect_hold_funds";
  const heldTon: MadeMessage = { to: holder, body: bodyOf(0x6bc79e7e), value: 20n };
  const ofTon = { type, success: true, source: alice, destination: holder, amount: 20n };
  const payload = bodyOf(0x6bc79e7e);
  const heldUsd = jettonTransfer({ from: alice, to: holder, master: usd, amount: 50n, payload });

  it("are TON or jettons", () => {
    expect(rowsOf(sentBy(heldTon))).toEqual([ofTon, "call_contract"]);
    expect(rowsOf(sentBy(heldUsd))).toEqual([
      { ...ofTon, source_secondary: walletOf(alice, usd), asset: usd, amount: 50n },
      "jetton_transfer",
    ]);
  });

  it("have their announcement as a part", () => {
    const announcing = call(alice, 1, [heldTon, call(holder, 0xc0ffeea0)]);
    const parts = actionsOf(sentBy(announcing), known).filter(({ parent_action_id }) => parent_action_id);
    expect(parts).toHaveLength(3);
    expect(rowsOf(sentBy(announcing))[0]).toEqual(ofTon);
  });

  it("count as held regardless of the outcome", () => {
    expect(rowsOf(sentBy({ ...heldTon, isAborted: true }))[0]).toEqual(ofTon);
  });

  it("are none with another payload, or if the wallet is unknown", () => {
    const other = jettonTransfer({ from: alice, to: holder, master: usd, payload: bodyOf(1) });
    expect(rowsOf(sentBy(other))).toEqual(["jetton_transfer"]);
    expect(rowsOf(sentBy(heldUsd), {})[0]).toBe("call_contract");
  });
});

describe("A failed swap of held funds at swap.coffee", () => {
  const type = "coffee_mev_protect_failed_swap";
  const body = bodyOf(0xee51ce51, alice);
  const row = { type, success: true, destination: alice };

  it("gives back TON or jettons", () => {
    expect(rowsOf({ to: holder, sends: [{ to: alice, body }] })[0]).toEqual(row);
    const back = jettonTransfer({ from: holder, to: alice, master: usd, payload: body });
    expect(rowsOf({ to: holder, sends: [back] })[0]).toEqual({ ...row, asset: usd });
  });

  it("needs a named receiver", () => {
    const unread = cellWith([0xee51ce51, 32]);
    expect(rowsOf({ to: holder, sends: [{ to: alice, body: unread }] })).toEqual(["call_contract"]);
    const back = jettonTransfer({ from: holder, to: alice, master: usd, payload: unread });
    expect(rowsOf({ to: holder, sends: [back] })).toEqual(["jetton_transfer"]);
  });
});
