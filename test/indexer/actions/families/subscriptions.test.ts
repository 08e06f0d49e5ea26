import { describe, expect, it } from "vitest";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [wallet, subscription, beneficiary] = accounts("wallet, subscription, beneficiary");

describe("A payment of a subscription", () => {
  const payment: MadeMessage = { to: beneficiary, body: cellWith([0x73756273, 32]) };
  const confirmed: MadeMessage = { to: subscription, value: 20n, body: bodyOf(0xf06c7567), sends: [payment] };
  const asked = (...sends: readonly MadeMessage[]): MadeMessage => ({
    to: wallet,
    body: bodyOf(0x706c7567, 15n, false),
    sends,
  });
  const actions = (sender: string, message: MadeMessage) => actionsOf({ to: sender, sends: [message] }, {});
  const rows = (...args: Parameters<typeof actions>) => rowsOfType("subscribe", actions(...args));
  const row = {
    type: "subscribe",
    success: true,
    source: wallet,
    destination: beneficiary,
    destination_secondary: subscription,
    amount: 20n,
  };

  it("is the wallet's message", () => {
    expect(rows(wallet, confirmed)).toEqual([row]);
  });

  it("includes the subscription's request, if there was one", () => {
    expect(rows(subscription, asked(confirmed))).toEqual([{ ...row, amount: 15n }]);
    expect(actions(subscription, asked(confirmed))).toHaveLength(1);
  });

  it("fails with the request", () => {
    expect(rows(subscription, { ...asked(confirmed), isAborted: true })).toEqual([
      { ...row, amount: 15n, success: false },
    ]);
    expect(rows(wallet, { ...confirmed, isAborted: true })).toEqual([{ ...row, success: false }]);
  });

  it("is none if the beneficiary got nothing, or if the request cannot be read", () => {
    expect(rows(wallet, { ...confirmed, sends: [] })).toEqual([]);
    const unread = { ...asked(confirmed), body: bodyOf(0x706c7567) };
    expect(rows(subscription, unread)).toEqual([]);
  });
});

describe("The end of a subscription", () => {
  const destruct = cellWith([0x64737472, 32]);
  const told: MadeMessage = { to: beneficiary, body: destruct };
  const actions = (changed: Partial<MadeMessage>) =>
    actionsOf({ to: wallet, sends: [{ to: subscription, body: destruct, ...changed }] }, {});
  const row = {
    type: "unsubscribe",
    success: true,
    source: wallet,
    destination: beneficiary,
    destination_secondary: subscription,
  };

  it("notifies the beneficiary", () => {
    expect(rowsOfType("unsubscribe", actions({ sends: [told] }))).toEqual([row]);
    expect(actions({ sends: [told] })).toHaveLength(1);
  });

  it("is recognised without a notification, and if it failed", () => {
    const alone = { ...row, destination: undefined };
    expect(rowsOfType("unsubscribe", actions({}))).toEqual([alone]);
    expect(rowsOfType("unsubscribe", actions({ isAborted: true }))).toEqual([alone]);
  });
});
