import type { DetailsByType } from "../../../store/tables/action-details.js";
import { BlockKind } from "../block-kind.js";
import { addressText, fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import type { AddressText } from "../trace.js";

const createPool = 0x2e3034ef;
const initPool = 0x441c39ed;
const excess = 0xd53276db;

type Deployment = {
  readonly sender: AddressText | undefined;
  readonly router: AddressText | undefined;
  readonly pool: AddressText | undefined;
  readonly details: DetailsByType["tonco_deploy_pool"]["tonco_deploy_pool_data"];
};

const toncoPoolKind = new BlockKind("tonco_deploy_pool", {
  type: "tonco_deploy_pool",
  row: ({ sender, router, pool, details }: Deployment) => ({
    source: sender,
    destination: router,
    destination_secondary: pool,
    tonco_deploy_pool_data: details,
  }),
});

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
      sender: anchor.source,
      router: anchor.destination,
      pool: pool.destination,
      details: {
        jetton0_router_wallet: addressText(request.jetton_wallet0),
        jetton1_router_wallet: addressText(request.jetton_wallet1),
        jetton0_minter: addressText(jetton0_minter),
        jetton1_minter: addressText(jetton1_minter),
        tick_spacing: request.tick_spacing,
        initial_price_x96: request.initial_price_x96,
        protocol_fee: request.protocol_fee,
        lp_fee_base: request.lp_fee_base,
        lp_fee_current: request.lp_fee_current,
        pool_active,
      },
    });
  },
};
