import { describe, expect, it } from "vitest";
import { type Builder, beginCell } from "../../../../shared/ton/cells/builder.js";
import { actionsOf } from "../../../helpers/index/made-jettons.js";
import { account, type MadeMessage } from "../../../helpers/index/made-trace.js";
import { bodyOf, cellWith, fieldsWith, none } from "../../../helpers/made-cells.js";
import { call } from "./liquidity-messages.js";
import { columnsOf, partsLast } from "./liquidity-rows.js";
import { alice, eur, eurWallet, pool, router, usd, usdWallet } from "./tonco-messages.js";

const nothing = beginCell().endCell();
const minters = cellWith(usd, eur, account("controller"));
const price = 2n ** 100n;

/** Initialises a pool that is active or not. */
function initialised(isActive: boolean, sends: readonly MadeMessage[] = []): MadeMessage {
  const body = bodyOf(
    0x441c39ed,
    false,
    false,
    none,
    false,
    none,
    true,
    [60, 24],
    true,
    [price, 160],
    true,
    isActive,
    [1000, 16],
    [30, 16],
    [30, 16],
    nothing,
    nothing,
    false,
  );
  return { to: pool, body, sends };
}

function requested(...sends: MadeMessage[]): MadeMessage {
  const fees: Builder = fieldsWith([1000, 16], [30, 16], [20, 16]);
  const body = bodyOf(
    0x2e3034ef,
    usdWallet,
    eurWallet,
    [60, 24],
    [price, 160],
    fees,
    nothing,
    nothing,
    minters,
  );
  return { to: router, body, sends };
}

const rowsOf = (request: MadeMessage) =>
  partsLast(actionsOf({ to: alice, sends: [request] }, {})).map((action) =>
    action.type === "tonco_deploy_pool"
      ? { ...columnsOf(action), ...action["tonco_deploy_pool_data"] }
      : action.type,
  );

const row = {
  success: true,
  source: alice,
  destination: router,
  destination_secondary: pool,
  jetton0_router_wallet: usdWallet,
  jetton1_router_wallet: eurWallet,
  jetton0_minter: usd,
  jetton1_minter: eur,
  tick_spacing: 60n,
  initial_price_x96: price,
  protocol_fee: 1000n,
  lp_fee_base: 30n,
  lp_fee_current: 20n,
  pool_active: true,
};

describe("A pool of TONCO", () => {
  it("is deployed, active or not", () => {
    expect(rowsOf(requested(initialised(true)))[0]).toEqual(row);
    expect(rowsOf(requested(initialised(false)))[0]).toEqual({ ...row, pool_active: false });
  });

  it("succeeds regardless of the request's outcome, and takes the excess of the pool", () => {
    const request = requested(initialised(true, [call(alice, 0xd53276db)]));
    const types = partsLast(actionsOf({ to: alice, sends: [{ ...request, isAborted: true }] }, {})).map(
      ({ type, success, parent_action_id }) => ({ type, success, isPart: parent_action_id !== undefined }),
    );
    expect(types[0]).toEqual({ type: "tonco_deploy_pool", success: true, isPart: false });
    expect(types.slice(1).map(({ isPart }) => isPart)).toEqual([true, true, true]);
  });

  it("is none if nothing was initialised, or if a body cannot be read", () => {
    const unread = { ...requested(initialised(true)), body: bodyOf(0x2e3034ef) };
    for (const each of [requested(), requested(call(pool, 0x441c39ed)), unread])
      expect(rowsOf(each)[0]).toBe("call_contract");
  });
});
