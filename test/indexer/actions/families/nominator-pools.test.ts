import { describe, expect, it } from "vitest";
import type { StoredType } from "../../../../shared/actions/all.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf } from "../../../helpers/made-cells.js";
import { rowsOfType } from "./shown-rows.js";

const [alice, bob, carol, pool, validator] = accounts("alice, bob, carol, pool, validator");
const known = { [pool]: { isNominatorPool: true } };
const staking_data = { provider: "nominator" };

const asked = (text: string, sends: readonly MadeMessage[] = []): MadeMessage => ({
  to: pool,
  value: 10n,
  body: comment(text),
  sends,
});
const paid = (value: bigint, to = alice): MadeMessage => ({ to, value });
const actions = (request: MadeMessage, contracts: object = known) =>
  actionsOf({ to: alice, sends: [request] }, { ...contracts });
const typesOf = (...args: Parameters<typeof actions>) => actions(...args).map(({ type }) => type);
const rows = (type: StoredType, ...args: Parameters<typeof actions>) => rowsOfType(type, actions(...args));
const bounced: MadeMessage = { to: alice, body: bodyOf(0xffffffff) };
const excess: MadeMessage = { to: alice, body: bodyOf(0xd53276db) };

describe("A deposit at a nominator pool", () => {
  const row = {
    type: "stake_deposit",
    success: true,
    source: alice,
    destination: pool,
    amount: 10n,
    staking_data,
  };

  it("is a transfer with the comment d, together with its refund", () => {
    expect(rows("stake_deposit", asked("d"))).toEqual([row]);
    expect(typesOf(asked("d", [excess]))).toEqual(["stake_deposit"]);
  });

  it("fails with the transfer, together with its bounce", () => {
    const failed = { ...asked("d", [bounced]), isAborted: true };
    expect(rows("stake_deposit", failed)).toEqual([{ ...row, success: false }]);
    expect(typesOf(failed)).toEqual(["stake_deposit"]);
  });

  it("is none with another comment, or if the account is no known pool", () => {
    expect(typesOf(asked("D"))).toEqual(["ton_transfer"]);
    expect(typesOf(asked("d"), {})).toEqual(["ton_transfer"]);
  });
});

describe("A withdrawal from a nominator pool", () => {
  const request = {
    type: "stake_withdrawal_request",
    success: true,
    source: alice,
    destination: pool,
    staking_data,
  };
  const withdrawal = { ...request, type: "stake_withdrawal", amount: 90n };

  it("is a request with the comment w, and waits", () => {
    expect(rows("stake_withdrawal_request", asked("w"))).toEqual([request]);
  });

  it("waits if only the sent amount is returned", () => {
    expect(rows("stake_withdrawal_request", asked("w", [paid(10n)]))).toEqual([request]);
    expect(typesOf(asked("w", [paid(10n)]))).toEqual(["stake_withdrawal_request"]);
  });

  it("is paid at once by more than was sent, or by the first of two transfers", () => {
    expect(rows("stake_withdrawal", asked("w", [paid(90n)]))).toEqual([withdrawal]);
    expect(rows("stake_withdrawal", asked("w", [paid(90n), paid(9n)]))).toEqual([withdrawal]);
    expect(rows("stake_withdrawal", asked("w", [paid(5n), paid(9n)]))).toEqual([
      { ...withdrawal, amount: 5n },
    ]);
    expect(typesOf(asked("w", [paid(90n), paid(9n)]))).toEqual(["stake_withdrawal"]);
  });

  it("leaves further transfers separate", () => {
    expect(typesOf(asked("w", [paid(90n), paid(9n), paid(8n)]))).toEqual([
      "stake_withdrawal_request",
      "ton_transfer",
      "ton_transfer",
      "ton_transfer",
    ]);
  });

  it("fails with the request", () => {
    const failed = { ...asked("w", [bounced]), isAborted: true };
    expect(rows("stake_withdrawal_request", failed)).toEqual([{ ...request, success: false }]);
    expect(typesOf(failed)).toEqual(["stake_withdrawal_request"]);
  });

  it("is none if the account is no known pool", () => {
    expect(typesOf(asked("w", [paid(90n)]), {})).toEqual(["ton_transfer", "ton_transfer"]);
  });
});

describe("Withdrawals processed by a nominator pool", () => {
  const told: MadeMessage = {
    to: pool,
    body: bodyOf(2, [40, 8]),
    sends: [paid(50n, bob), paid(60n, carol), { to: validator, body: bodyOf(0xf96f7324) }],
  };

  it("have a row for each transfer, and the call keeps its own", () => {
    const row = { type: "stake_withdrawal", success: true, destination: pool, staking_data };
    expect(rows("stake_withdrawal", told)).toEqual([
      { ...row, source: bob, amount: 50n },
      { ...row, source: carol, amount: 60n },
    ]);
    expect(rows("call_contract", told)).toHaveLength(2);
  });

  it("are none if the account is no known pool, or after another call", () => {
    expect(rows("stake_withdrawal", told, {})).toEqual([]);
    expect(rows("stake_withdrawal", { ...told, body: bodyOf(3) })).toEqual([]);
  });
});
