import { noCode, outOfGas, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, formula, pool } from "./people.js";

export const trading = {
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
  stake_deposit: {
    details: {
      provider: "ethena",
      stake_holder: ann,
      pool,
      asset: acorn,
      amount: "2500300127",
      tokens_minted: "1994155249",
      source_asset: falseTon,
    },
    says: "‹stake_holder› staked ‹amount: 2.500300127 FALSE› in ‹pool› in exchange for ‹tokens_minted: 1,994,155.249 ACORN›",
    shown: ["stake", "Stake deposited"],
    failed: ownCode,
  },
  stake_withdrawal: {
    details: { stake_holder: ann, pool, asset: falseTon, amount: "477298994", tokens_burnt: "499933340" },
    says: "‹stake_holder› withdrew a stake of ‹amount: 0.477298994 TON› from ‹pool› in exchange for ‹tokens_burnt: 0.49993334 FALSE›",
    shown: ["stake", "Stake withdrawn"],
    failed: noCode,
  },
  stake_withdrawal_request: {
    details: { stake_holder: ann, pool, asset: falseTon, tokens_burnt: "67599" },
    says: "‹stake_holder› asked ‹pool› for a stake back in exchange for ‹tokens: 0.000067599 FALSE›",
    shown: ["stake", "Stake requested back"],
    failed: ownCode,
  },
  election_deposit: {
    details: { stake_holder: ann, amount: "300000000000000" },
    says: "‹stake_holder› staked ‹amount: 300,000 TON› in the validator elections",
    shown: ["stake", "Election stake deposited"],
    failed: unexplained,
  },
  election_recover: {
    details: { stake_holder: ann, amount: "300500000000000" },
    says: "‹stake_holder› recovered ‹amount: 300,500 TON› from the validator elections",
    shown: ["stake", "Election stake recovered"],
    failed: unexplained,
  },
  evaa_supply: {
    details: { is_ton: false, source: ann, asset: falseTon, amount: "47133134852" },
    says: "‹source› supplied ‹amount: 47.133134852 FALSE› to EVAA",
    shown: ["lending", "Supplied to EVAA"],
    failed: unexplained,
  },
  evaa_withdraw: {
    details: { fail_reason: null, source: ann, asset: null, amount: "3736185000" },
    says: "‹source› withdrew ‹amount: 3.736185 TON› from EVAA",
    shown: ["lending", "Withdrawn from EVAA"],
    failed: {
      ...unexplained,
      details: { fail_reason: "withdraw_no_funds_excess" },
      says: "‹source› withdrew ‹amount: 3.736185 TON› from EVAA, which refused it: “withdraw_no_funds_excess”",
    },
  },
  evaa_liquidate: {
    details: { fail_reason: null, source: ann, borrower: ben, collateral: formula, amount: "30000" },
    says: "‹source› liquidated a loan of ‹borrower› on EVAA for ‹amount: 30,000 units of FORMULA›",
    shown: ["lending", "Liquidation on EVAA"],
    failed: {
      ...unexplained,
      details: { fail_reason: "not_liquidatable", collateral: null },
      says: "‹source› liquidated a loan of ‹borrower› on EVAA, which refused it: “not_liquidatable”",
    },
  },
  jvault_stake: {
    details: { period: 2592000, source: ann, asset: acorn, pool, amount: "12266000000000" },
    says: "‹source› staked ‹amount: 12,266,000,000 ACORN› in ‹pool› on JVault for 30 days",
    shown: ["stake", "Stake deposited"],
    failed: ownCode,
  },
  jvault_unstake: {
    details: { source: ann, pool, amount: "300731712275", exit_code: null, asset: acorn },
    says: "‹source› withdrew ‹amount: 300,731,712.275 ACORN› from ‹pool› on JVault",
    shown: ["stake", "Stake withdrawn"],
  },
  jvault_unstake_request: {
    details: { source: ann, pool, amount: "258429093190", exit_code: null, asset: acorn },
    says: "‹source› asked ‹pool› on JVault to return ‹amount: 258,429,093.19 ACORN›",
    shown: ["stake", "Stake requested back"],
    failed: {
      ...unexplained,
      details: { exit_code: 46 },
      says: "‹source› asked ‹pool› on JVault to return ‹amount: 258,429,093.19 ACORN›, which refused it with exit code 46",
    },
  },
  jvault_claim: {
    details: {
      claimed_rewards: [
        { jetton: acorn, amount: "7919563" },
        { jetton: falseTon, amount: "1" },
        { jetton: formula, amount: "2" },
        { jetton: pool, amount: "3" },
      ],
      source: ann,
      pool,
    },
    says: "‹source› claimed ‹reward: 7,919.563 ACORN›, ‹reward: 0.000000001 FALSE›, ‹reward: 2 units of FORMULA› and 1 more from ‹pool› on JVault",
    shown: ["stake", "Rewards claimed"],
  },
} satisfies Partial<Goldens>;
