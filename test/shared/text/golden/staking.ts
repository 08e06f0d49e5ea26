import { noCode, ownCode, unexplained } from "./failures.js";
import type { Goldens } from "./golden.js";
import { acorn, ann, falseTon, pool } from "./people.js";

export const staking = {
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
} satisfies Partial<Goldens>;
