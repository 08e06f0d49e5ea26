import type { ConfigValue } from "../../../shared/ton/tlb/config/config-param.js";

const ton = 1_000_000_000n;

/** Parameters used by elections: complaint prices, times, numbers of validators, stakes. */
type ElectionParams = {
  [N in 13 | 15 | 16 | 17]: ConfigValue<N>;
};

/** `short`: a validator set is active for twenty minutes. `long`: as on mainnet. */
export type ElectionPreset = (typeof electionPresetNames)[number];
const electionPresetNames = ["short", "long"] as const;

const stakes: ConfigValue<17> = {
  minStake: 10_000n * ton,
  maxStake: 10_000_000n * ton,
  minTotalStake: 10_000n * ton,
  maxStakeFactor: 3 * 2 ** 16,
};

/** The parameters of each preset, which the zero state has. */
export const electionPresets: Readonly<Record<ElectionPreset, ElectionParams>> = {
  short: {
    13: { deposit: ton, bitPrice: 1n, cellPrice: 512n },
    15: {
      validatorsElectedFor: 1200,
      electionsStartBefore: 600,
      // Longer than the elector's installation minute plus the longest pause between blocks.
      electionsEndBefore: 180,
      // Shorter than the time until the next election, so that every stake can take part in the round after next.
      stakeHeldFor: 300,
    },
    16: { maxValidators: 16, maxMainValidators: 16, minValidators: 1 },
    17: stakes,
  },
  long: {
    13: { deposit: ton, bitPrice: 1n, cellPrice: 500n },
    15: {
      validatorsElectedFor: 65_536,
      electionsStartBefore: 32_768,
      electionsEndBefore: 8192,
      stakeHeldFor: 32_768,
    },
    16: { maxValidators: 400, maxMainValidators: 100, minValidators: 1 },
    17: stakes,
  },
};
