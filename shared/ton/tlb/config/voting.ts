// cfg_vote_cfg#36 min_tot_rounds:(## 8) max_tot_rounds:(## 8) { min_tot_rounds <= max_tot_rounds }
//   min_wins:uint8 max_losses:uint8 min_store_sec:(## 32) max_store_sec:(## 32)
//   { min_store_sec <= max_store_sec } bit_price:uint32 cell_price:uint32 = ConfigProposalSetup;
// cfg_vote_setup#91 normal_params:^ConfigProposalSetup critical_params:^ConfigProposalSetup = ConfigVotingSetup;
// _ validators_elected_for:uint32 elections_start_before:uint32
//   elections_end_before:uint32 stake_held_for:uint32 = ConfigParam 15;
// _ max_validators:(## 16) max_main_validators:(## 16) min_validators:(## 16) = ConfigParam 16;
// _ min_stake:Grams max_stake:Grams min_total_stake:Grams max_stake_factor:uint32 = ConfigParam 17;
import { cellOf } from "../cell-of.js";
import type { Decoded } from "../codec.js";
import { coins, uint8, uint16, uint32 } from "../primitives.js";
import { record } from "../record.js";

export type ConfigProposalSetup = Decoded<typeof ConfigProposalSetup>;
export const ConfigProposalSetup = record("cfg_vote_cfg#36", {
  minTotRounds: uint8,
  maxTotRounds: uint8,
  minWins: uint8,
  maxLosses: uint8,
  minStoreSec: uint32,
  maxStoreSec: uint32,
  bitPrice: uint32,
  cellPrice: uint32,
});

/** ConfigParam 11. */
export type ConfigVotingSetup = Decoded<typeof ConfigVotingSetup>;
export const ConfigVotingSetup = record("cfg_vote_setup#91", {
  normalParams: cellOf(ConfigProposalSetup),
  criticalParams: cellOf(ConfigProposalSetup),
});

/** ConfigParam 15, in seconds. */
export type ElectionTimes = Decoded<typeof ElectionTimes>;
export const ElectionTimes = record("ConfigParam 15", {
  validatorsElectedFor: uint32,
  electionsStartBefore: uint32,
  electionsEndBefore: uint32,
  stakeHeldFor: uint32,
});

/** ConfigParam 16. */
export type ValidatorCounts = Decoded<typeof ValidatorCounts>;
export const ValidatorCounts = record("ConfigParam 16", {
  maxValidators: uint16,
  maxMainValidators: uint16,
  minValidators: uint16,
});

/** ConfigParam 17; the factor is in units of 2^-16. */
export type StakeLimits = Decoded<typeof StakeLimits>;
export const StakeLimits = record("ConfigParam 17", {
  minStake: coins,
  maxStake: coins,
  minTotalStake: coins,
  maxStakeFactor: uint32,
});
