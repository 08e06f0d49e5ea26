import type { Address } from "../../../shared/values/address.js";
import type { Wallet } from "../wallets/wallet.js";

/** Stakes for its validator, under the conditions of the contract. */
type StakingContract = "pool" | "single-nominator";

/** A validator by number, or a contract. Identifies its election keys. */
export type StakerRole = number | StakingContract;

/** A masterchain account whose coins are staked, and the wallet that acts for it: its own, or the validator's. */
export type Staker = { role: StakerRole; wallet: Wallet; holder: Address };
