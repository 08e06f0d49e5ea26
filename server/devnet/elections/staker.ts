import type { Address } from "../../../shared/values/address.js";
import type { Wallet } from "../wallets/wallet.js";

/** Stakes for its validator, under the conditions of the contract. */
export type StakingContract = "pool" | "single-nominator";

/** A validator by its number, or a contract. Names the keys with which it takes part in elections. */
export type StakerRole = number | StakingContract;

/** An account of the masterchain whose coins are staked, and the wallet that acts for it: its own, or the validator's. */
export type Staker = { role: StakerRole; wallet: Wallet; holder: Address };
