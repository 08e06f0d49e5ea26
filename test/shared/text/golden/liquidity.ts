import { outOfGas, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, falseTon, pool } from "./people.js";

export const liquidity = {
  dex_deposit_liquidity: {
    details: {
      dex: "tonco",
      amount_1: "5765664447",
      amount_2: "250000000",
      asset_1: acorn,
      asset_2: null,
      source: ann,
      pool,
    },
    says: "‹source› added ‹amount_1: 5,765,664.447 ACORN› and ‹amount_2: 0.25 TON› to ‹pool› on TONCO",
    shown: ["liquidity", "Liquidity added"],
    failed: unexplained,
  },
  dex_withdraw_liquidity: {
    details: {
      dex: "tonco",
      amount_1: "2819110797",
      amount_2: "76746",
      asset_1: acorn,
      asset_2: falseTon,
      source: ann,
      pool,
    },
    says: "‹source› withdrew ‹amount_1: 2,819,110.797 ACORN› and ‹amount_2: 0.000076746 FALSE› from ‹pool› on TONCO",
    shown: ["liquidity", "Liquidity withdrawn"],
    failed: outOfGas,
  },
  tonco_deploy_pool: {
    details: { source: ann, pool, jetton_minter_1: acorn, jetton_minter_2: falseTon },
    says: "‹source› created ‹pool› on TONCO for ‹jetton_minter_1› and ‹jetton_minter_2›",
    shown: ["liquidity", "Pool created"],
  },
  dedust_v2_claim_fees: {
    details: {
      dex: "dedust_v2",
      source: ann,
      pool,
      amount_1: "2000000000",
      amount_2: "5000000000",
      asset_1: null,
      asset_2: null,
    },
    says: "‹source› claimed fees of ‹amount_1: 2 TON› and ‹amount_2: 5 TON› from ‹pool› on DeDust v2",
    shown: ["liquidity", "Fees claimed"],
  },
  dedust_v2_claim_reward: {
    details: { dex: "dedust_v2", source: ann, pool, asset: null, amount: "5000" },
    says: "‹source› claimed a reward of ‹amount: 0.000005 TON› from ‹pool› on DeDust v2",
    shown: ["liquidity", "Reward claimed"],
  },
} satisfies Partial<Goldens>;
