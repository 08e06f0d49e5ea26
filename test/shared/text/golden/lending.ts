import { ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, ben, falseTon, formula, pool } from "./people.js";

export const lending = {
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
