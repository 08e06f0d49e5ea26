import { describe, expect, it } from "vitest";
import type { Action } from "../../../../server/indexer/actions/action.js";
import { beginCell } from "../../../../shared/ton/cells/builder.js";
import { Cell } from "../../../../shared/ton/cells/cell.js";
import { actionsOf, jettonTransfer, walletOf, walletsOf } from "../../../helpers/index/made-jettons.js";
import { accounts, bodyWith, comment, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, maybe } from "../../../helpers/made-cells.js";

const [alice, bob, master, userContract, usd] = accounts("alice, bob, master, alice's contract, usd");
const known = walletsOf([alice, bob, master], [usd]);

const usdId = 0xabcn;
const tonId = 0x1a4219fe5e60d63af2a3cc7dce6fec69b45c6b5718497a6148e7c232ac87bd8an;

const message = (
  to: string,
  opcode: number,
  sends: readonly MadeMessage[] = [],
  fields = beginCell(),
): MadeMessage => ({ to, body: bodyOf(opcode, fields), sends });
const from = (...sends: readonly MadeMessage[]): MadeMessage => ({ to: alice, sends });
const says = (text: string): MadeMessage => ({ to: alice, body: comment(text) });

/** A call of a user's contract: a header comes first, in newer versions with code. */
function userCall(
  opcode: number,
  sends: readonly MadeMessage[],
  { fields = beginCell(), code = undefined as Cell | undefined } = {},
): MadeMessage {
  const body = cellWith(6n, maybe(code), [3, 2], fieldsWith(bodyWith(opcode), fields));
  return { to: userContract, body, sends };
}

const isWhole = ({ parent_action_id, type }: Action) =>
  parent_action_id === undefined && type.startsWith("evaa_");
const ofWhole = (root: MadeMessage, contracts = known) => actionsOf(root, contracts).filter(isWhole);

describe("A supply to EVAA", () => {
  const asset = fieldsWith([usdId, 256]);
  const done = (...sends: readonly MadeMessage[]) =>
    message(master, 0x11a, sends, fieldsWith(alice, [usdId, 256], [49, 64]));
  const refused = message(master, 0x11f);
  const asks = (...sends: readonly MadeMessage[]) => userCall(0x11, sends, { fields: asset });

  const ton = (...sends: readonly MadeMessage[]) =>
    from(message(master, 0x1, sends, fieldsWith([-1, 2], [50, 64], bob)));
  const payloadFor = (recipient: string) => cellWith([0x1, 32], [-1, 2], recipient);
  const jettons = (recipient: string, ...leadsTo: readonly MadeMessage[]) =>
    from(
      jettonTransfer({
        from: alice,
        to: master,
        master: usd,
        amount: 50n,
        payload: payloadFor(recipient),
        leadsTo,
      }),
    );
  const supply = {
    type: "evaa_supply",
    success: true,
    source: alice,
    source_secondary: undefined,
    destination: bob,
    destination_secondary: userContract,
    asset: undefined,
    amount: 49n,
    evaa_supply_data: {
      is_ton: true,
      asset_id: "0xabc",
      master,
      recipient_jetton_wallet: undefined,
      master_jetton_wallet: undefined,
    },
  };
  const wallets = {
    is_ton: false,
    asset_id: "0xabc",
    master,
    recipient_jetton_wallet: undefined,
    master_jetton_wallet: walletOf(master, usd),
  };
  const supplyOfJettons = {
    ...supply,
    source_secondary: walletOf(alice, usd),
    asset: usd,
    evaa_supply_data: wallets,
  };

  it("of TON is the request with the result of the user's contract", () => {
    expect(ofWhole(ton(asks(done())))).toMatchObject([{ ...supply, tx_hashes: { length: 4 } }]);
    const withCode = userCall(0x11, [done()], { fields: asset, code: Cell.empty });
    expect(ofWhole(ton(withCode))).toMatchObject([supply]);
  });

  it.each(["EVAA supply.", "EVAA withdraw.", "EVAA liquidation."])(
    "includes the returned amount with %s",
    (text) => {
      expect(ofWhole(ton(asks(done(says(text)))))).toMatchObject([{ ...supply, tx_hashes: { length: 5 } }]);
    },
  );

  it("does not include a transfer with other words", () => {
    expect(ofWhole(ton(asks(done(says("EVAA")))))).toMatchObject([{ ...supply, tx_hashes: { length: 4 } }]);
  });

  it("of jettons begins with their transfer", () => {
    expect(ofWhole(jettons(bob, asks(done())))).toMatchObject([supplyOfJettons]);
    expect(ofWhole(jettons(alice, asks(done())))).toMatchObject([
      {
        ...supplyOfJettons,
        destination: alice,
        evaa_supply_data: { ...wallets, recipient_jetton_wallet: walletOf(alice, usd) },
      },
    ]);
  });

  it("fails if the contract refuses or jettons are returned", () => {
    expect(ofWhole(ton(asks(refused)))).toMatchObject([{ ...supply, success: false, amount: 50n }]);
    const failed = { ...supplyOfJettons, success: false, amount: 50n };
    const returned = jettonTransfer({ from: master, to: bob, master: usd, amount: 50n });
    expect(ofWhole(jettons(bob, asks(returned)))).toMatchObject([
      { ...failed, evaa_supply_data: { ...wallets, recipient_jetton_wallet: walletOf(bob, usd) } },
    ]);
    const elsewhere = jettonTransfer({ from: alice, to: bob, master: usd, amount: 50n });
    expect(ofWhole(jettons(bob, asks(elsewhere)))).toMatchObject([failed]);
  });

  it("is none without an outcome, known wallets or bodies that can be read", () => {
    expect(ofWhole(ton(asks()))).toEqual([]);
    expect(ofWhole(ton(message(userContract, 0x11, [done()], asset)))).toEqual([]);
    expect(ofWhole(ton({ to: userContract, body: cellWith([0x1, 32]) }))).toEqual([]);
    expect(ofWhole(jettons(bob, asks(done())), {})).toEqual([]);
    expect(ofWhole(ton(userCall(0x11, [done()])))).toEqual([]);
    expect(ofWhole(ton(asks(message(master, 0x11a))))).toEqual([]);
    expect(ofWhole(from(message(master, 0x1, [asks(done())])))).toEqual([]);
  });
});

describe("A withdrawal from EVAA", () => {
  const request = (assetId: bigint, ...sends: readonly MadeMessage[]) =>
    from(message(master, 0x2, [userCall(0x21, sends)], fieldsWith([assetId, 256], [50, 64], bob)));
  const approves = (...sends: readonly MadeMessage[]) =>
    message(master, 0x211, sends, fieldsWith(alice, [usdId, 256], [49, 64]));
  const booked = userCall(0x211a, [{ to: alice }]);
  const jettons = jettonTransfer({ from: master, to: bob, master: usd, amount: 49n });
  const ton = message(bob, 0x211a, [says("EVAA withdraw.")]);
  const data = {
    is_ton: true,
    asset_id: `0x${tonId.toString(16)}`,
    master,
    recipient_jetton_wallet: undefined,
    master_jetton_wallet: undefined,
    fail_reason: undefined as string | undefined,
  };
  const withdrawal = {
    type: "evaa_withdraw",
    success: true,
    source: alice,
    destination: bob,
    destination_secondary: userContract,
    asset: undefined,
    amount: 49n,
    evaa_withdraw_data: data,
  };

  it("is the request with the payment", () => {
    expect(ofWhole(request(tonId, approves(ton, booked)))).toMatchObject([
      { ...withdrawal, tx_hashes: { length: 8 } },
    ]);
    expect(ofWhole(request(usdId, approves(jettons, booked)))).toMatchObject([
      {
        ...withdrawal,
        asset: usd,
        evaa_withdraw_data: {
          ...data,
          is_ton: false,
          asset_id: "0xabc",
          recipient_jetton_wallet: walletOf(bob, usd),
          master_jetton_wallet: walletOf(master, usd),
        },
      },
    ]);
  });

  it.each([
    [0x21e6, "withdraw_locked_excess"],
    [0x21e7, "withdraw_not_collateralized_excess"],
    [0x21e8, "withdraw_missing_prices_excess"],
    [0x21ec, "withdraw_execution_crashed"],
  ])("fails if the user's contract refuses with %i", (opcode, reason) => {
    expect(ofWhole(request(tonId, message(alice, opcode)))).toMatchObject([
      { ...withdrawal, success: false, amount: 50n, evaa_withdraw_data: { ...data, fail_reason: reason } },
    ]);
  });

  it("fails if the master has not enough", () => {
    const refused = userCall(0x211f, [message(alice, 0x211fe8)]);
    expect(ofWhole(request(tonId, approves(refused)))).toMatchObject([
      {
        ...withdrawal,
        success: false,
        amount: 50n,
        evaa_withdraw_data: { ...data, fail_reason: "withdraw_no_funds_excess" },
      },
    ]);
  });

  it("is none if nothing or something else is paid, or a body cannot be read", () => {
    expect(ofWhole(request(usdId, approves(ton, booked)))).toEqual([]);
    expect(ofWhole(request(tonId, approves(jettons, booked)))).toEqual([]);
    expect(ofWhole(request(tonId, approves(booked)))).toEqual([]);
    expect(ofWhole(request(tonId, approves(ton)))).toEqual([]);
    expect(ofWhole(request(usdId, approves(jettons, booked)), {})).toEqual([]);
    expect(ofWhole(request(tonId, message(master, 0x211, [ton, booked])))).toEqual([]);
    expect(ofWhole(from(message(master, 0x2, [userCall(0x21, [message(alice, 0x21e6)])])))).toEqual([]);
  });
});

describe("A liquidation at EVAA", () => {
  const parties = () => fieldsWith(bob, alice);
  const collateral = () => fieldsWith(parties(), [usdId, 256], [1, 64], [0, 2]);
  const ton = (...sends: readonly MadeMessage[]) =>
    from(message(master, 0x3, sends, collateral().storeUint(50, 64)));
  const payload = cellWith([0x3, 32], collateral());
  const jettons = (...leadsTo: readonly MadeMessage[]) =>
    from(jettonTransfer({ from: alice, to: master, master: usd, amount: 50n, payload, leadsTo }));
  const asks = (...sends: readonly MadeMessage[]) => userCall(0x31, sends);
  const result = cellWith([-1, 64], [40, 64], [1, 64], [-2, 64], [usdId, 256], [-3, 64], [30, 64]);
  const satisfied = (...sends: readonly MadeMessage[]) =>
    message(master, 0x311, sends, fieldsWith(parties(), [tonId, 256], result));
  const unsatisfied = (error: number, ...sends: readonly MadeMessage[]) => {
    const reason = cellWith([50, 64], [usdId, 256], [1, 64], [0, 64], Cell.empty, [error, 32]);
    return message(master, 0x31f, sends, fieldsWith(parties(), [tonId, 256], reason));
  };
  const booked = userCall(0x311a, [says("EVAA liquidation.")]);
  const collateralPaid = jettonTransfer({ from: master, to: alice, master: usd, amount: 30n });
  const tonPaid = message(alice, 0x311d);
  const returned = message(alice, 0x311f);
  const liquidation = {
    type: "evaa_liquidate",
    success: true,
    source: alice,
    destination: bob,
    destination_secondary: userContract,
    amount: 30n,
    evaa_liquidate_data: { asset_id: "0xabc", debt_amount: 40n, fail_reason: undefined },
  };
  const failedFor = (reason: string | undefined) => ({
    ...liquidation,
    success: false,
    amount: 0n,
    evaa_liquidate_data: { asset_id: "0xabc", debt_amount: 50n, fail_reason: reason },
  });

  it("is the request with the collateral that was paid", () => {
    expect(ofWhole(ton(asks(satisfied(booked, collateralPaid))))).toMatchObject([
      { ...liquidation, tx_hashes: { length: 8 } },
    ]);
    expect(ofWhole(jettons(asks(satisfied(booked, tonPaid))))).toMatchObject([liquidation]);
  });

  it.each([
    [0xe001, "master_liquidating_too_much"],
    [0xe002, "user_withdraw_in_progress"],
    [0xe003, "not_liquidatable"],
    [0xe004, "execution_crashed"],
    [0xe005, "min_collateral_not_satisfied"],
    [0xe006, "user_not_enough_collateral"],
    [0xe007, "user_liquidating_too_much"],
    [0xe008, "master_not_enough_liquidity"],
    [0xe009, "liquidation_prices_missing"],
    [7, undefined],
  ])("fails for the reason that the user's contract has, %i", (error, reason) => {
    expect(ofWhole(ton(asks(unsatisfied(error, returned))))).toMatchObject([failedFor(reason)]);
    expect(ofWhole(jettons(asks(unsatisfied(error, collateralPaid))))).toMatchObject([failedFor(reason)]);
  });

  it("fails if the master has not enough, or rejects the request", () => {
    const returnedTwice = satisfied(returned, returned);
    expect(ofWhole(ton(asks(returnedTwice)))).toMatchObject([failedFor("master_not_enough_liquidity")]);
    const rejected = { ...failedFor("immediate_rejection"), destination_secondary: undefined };
    expect(ofWhole(ton(message(alice, 0xffffffff)))).toMatchObject([rejected]);
    expect(ofWhole(jettons(collateralPaid))).toMatchObject([rejected]);
  });

  it("is none without a settlement, known wallets or bodies that can be read", () => {
    expect(ofWhole(ton(asks(satisfied(booked))))).toEqual([]);
    expect(ofWhole(ton(asks(unsatisfied(0xe003))))).toEqual([]);
    expect(ofWhole(ton(asks()))).toEqual([]);
    expect(ofWhole(jettons(asks(satisfied(booked, tonPaid))), {})).toEqual([]);
    expect(ofWhole(ton(asks(message(master, 0x311, [booked, tonPaid]))))).toEqual([]);
    expect(ofWhole(ton(asks(message(master, 0x31f, [returned]))))).toEqual([]);
    expect(ofWhole(from(message(master, 0x3, [message(alice, 0xffffffff)])))).toEqual([]);
  });
});
