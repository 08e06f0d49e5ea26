import { addressText, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

const createPool = 0x2e3034ef;
const initPool = 0x441c39ed;
const excess = 0xd53276db;

const toncoPoolKind = rowKind("tonco_deploy_pool");

/** TONCO: a pool is requested from the router. */
export const toncoPool: Matcher = {
  name: "tonco deployment of a pool",
  pattern: call(createPool).followedBy(call(initPool).as("pool").followedBy(call(excess).optional())),
  build: (match) => {
    const { anchor } = match;
    const pool = match.get("pool");
    const request = fieldsOf("tonco_create_pool_start", anchor);
    const { pool_active } = fieldsOf("tonco_pool_init", pool);
    const { jetton0_minter, jetton1_minter } = request.minters;
    return toncoPoolKind.build({
      source: anchor.source,
      router: anchor.destination,
      pool: pool.destination,
      router_jetton_wallet_1: addressText(request.jetton_wallet0),
      router_jetton_wallet_2: addressText(request.jetton_wallet1),
      jetton_minter_1: addressText(jetton0_minter),
      jetton_minter_2: addressText(jetton1_minter),
      tick_spacing: request.tick_spacing,
      initial_price_x96: request.initial_price_x96,
      protocol_fee: request.protocol_fee,
      lp_fee_base: request.lp_fee_base,
      lp_fee_current: request.lp_fee_current,
      pool_active,
    });
  },
};
