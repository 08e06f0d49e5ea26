import { sha256 } from "../../../shared/ton/cells/sha256.js";
import { masterchain } from "../../../shared/ton/tlb/block-id.js";
import { SigningKey } from "../../chain/ed25519.js";
import { roleSeed } from "../role-seed.js";
import { Wallet } from "../wallets/wallet.js";
import type { ElectionPreset } from "./presets.js";
import type { StakerRole } from "./staker.js";

/** The validators of a devnet, and the elections that may replace them. */
export type ValidatorPlan = { seed: string; count: number; elections?: ElectionPreset | undefined };

/** Balance of a validator's wallet in the zero state, in nanotons. */
export const validatorFunds = 1_000_000_000_000_000n;

/** Keys of the zero state's validators. A devnet with one validator and no elections keeps its original key. */
export function firstValidatorKeys({ seed, count, elections }: ValidatorPlan): SigningKey[] {
  if (count === 1 && !elections) return [new SigningKey(roleSeed(seed, "validator"))];
  return Array.from({ length: count }, (_, index) => new SigningKey(roleSeed(seed, `validator/${index}`)));
}

/** The key of a staker in an election. Each election uses new keys, as on mainnet. */
export function electionKey(seed: string, role: StakerRole, electAt: number): SigningKey {
  return new SigningKey(roleSeed(seed, `validator/${role}/${electAt}`));
}

/** ADNL address of a validator in an elected set. */
export function electedAdnl(publicKey: Uint8Array): Uint8Array {
  return sha256(publicKey);
}

/** Masterchain wallets from which the validators stake. */
export function validatorWallets({ seed, count, elections }: ValidatorPlan): Wallet[] {
  if (!elections) return [];
  return Array.from({ length: count }, (_, index) => {
    const key = new SigningKey(roleSeed(seed, `validator/${index}/wallet`));
    return new Wallet("v3r2", key, masterchain, index);
  });
}
