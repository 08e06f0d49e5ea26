import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, pool } from "./people.js";

export const coffee = {
  coffee_create_pool: {
    details: { source: ann, pool, provided_asset: acorn, amount: "1000000000000000" },
    says: "‹source› created ‹pool› on swap.coffee, providing ‹amount: 1,000,000,000,000 ACORN›",
    shown: ["liquidity", "Pool created"],
  },
  coffee_create_pool_creator: {
    details: { source: ann, provided_asset: acorn, amount: "1000000000000000" },
    says: "‹source› provided ‹amount: 1,000,000,000,000 ACORN› for a new pool on swap.coffee",
    shown: ["liquidity", "Pool prepared"],
  },
  coffee_create_vault: {
    details: { source: ann, vault: pool, asset: falseTon, value: "50000000" },
    says: "‹source› created ‹vault› on swap.coffee for ‹asset›, sending ‹value: 0.05 TON›",
    shown: ["liquidity", "Vault created"],
  },
  coffee_mev_protect_hold_funds: {
    details: { source: ann, asset: null, amount: "15590000000" },
    says: "‹source› gave ‹amount: 15.59 TON› to swap.coffee to hold for a protected swap",
    shown: ["swap", "Funds held for a swap"],
  },
  coffee_mev_protect_failed_swap: {
    details: {},
    says: "A protected swap on swap.coffee failed, and its funds were returned",
    shown: ["swap", "Protected swap failed"],
  },
  coffee_staking_deposit: {
    details: { source: ann, asset: acorn, amount: "200000000000000" },
    says: "‹source› staked ‹amount: 200,000,000,000 ACORN› on swap.coffee",
    shown: ["stake", "Stake deposited"],
  },
  coffee_staking_withdraw: {
    details: { source: ann, asset: acorn, amount: "59457793964" },
    says: "‹source› withdrew a stake of ‹amount: 59,457,793.964 ACORN› from swap.coffee",
    shown: ["stake", "Stake withdrawn"],
  },
  coffee_staking_claim_rewards: {
    details: { recipient: ben, asset: acorn, amount: "17686745" },
    says: "‹recipient› claimed a reward of ‹amount: 17,686.745 ACORN› on swap.coffee",
    shown: ["stake", "Reward claimed"],
  },
} satisfies Partial<Goldens>;
