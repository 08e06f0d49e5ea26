import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, bodyWith, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [alice, vesting, target, other] = accounts("alice, vesting, target, other");
const by = (...sends: readonly MadeMessage[]): readonly Action[] => actionsOf({ to: alice, sends }, {});
const answer = (opcode: number): MadeMessage => ({ to: alice, body: bodyOf(opcode) });

describe("A message sent by a vesting wallet", () => {
  const text = comment("Deposit");
  const message = cellWith([0x18, 6], target, 70n, [0, 1 + 4 + 4 + 64 + 32], false, true, text);
  const request = (stated: Cell, ...sends: readonly MadeMessage[]): MadeMessage => ({
    to: vesting,
    body: cellWith(bodyWith(0xa7733acd, 7n), [3, 8], stated),
    sends,
  });
  const done = answer(0xf7733acd);
  const sent: MadeMessage = { to: target, value: 69n, body: text };
  const rows = (...sends: readonly MadeMessage[]) => rowsOfType("vesting_send_message", by(...sends));

  it("leaves a separate row to the sent message", () => {
    const transfers = by(request(message, sent, done)).filter(({ type }) => type === "ton_transfer");
    expect(transfers).toMatchObject([{ parent_action_id: undefined, destination: target }]);
  });

  it("fails unless it was sent to that account with that body", () => {
    expect(rows(request(message, sent, done))).toMatchObject([{ success: true }]);
    const failed = [{ success: false, destination_secondary: target, amount: 70n }];
    expect(rows(request(message, done))).toMatchObject(failed);
    expect(rows(request(message, { ...sent, to: other }, done))).toMatchObject(failed);
    expect(rows(request(message, { ...sent, body: comment("other") }, done))).toMatchObject(failed);
  });

  it("is none without an answer, or if the message cannot be read or is for no account", () => {
    expect(rows(request(message, sent))).toEqual([]);
    expect(rows(request(Cell.empty, sent, done))).toEqual([]);
    const log = cellWith([0b11, 2], [0, 2 + 2 + 64 + 32 + 2]);
    expect(rows(request(log, sent, done))).toEqual([]);
    const unread = { ...request(message, sent, done), body: bodyOf(0xa7733acd) };
    expect(rows(unread)).toEqual([]);
  });
});

describe("An addition to the whitelist of a vesting wallet", () => {
  const addresses = (first: string, second: string) =>
    cellWith(bodyWith(0x7258a69b, 7n), first, cellWith(second));
  const request = (body: Cell, ...sends: readonly MadeMessage[]): MadeMessage => ({
    to: vesting,
    body,
    sends,
  });
  const done = answer(0xf258a69b);
  const rows = (...sends: readonly MadeMessage[]) => rowsOfType("vesting_add_whitelist", by(...sends));

  it("is none without an answer, or if an address cannot be read", () => {
    expect(rows(request(addresses(target, other), done))).toMatchObject([{ success: true }]);
    expect(rows(request(addresses(target, other)))).toEqual([]);
    const unread = bodyOf(0x7258a69b, target, Cell.empty);
    expect(rows(request(unread, done))).toEqual([]);
  });
});
