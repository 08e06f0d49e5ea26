import type { ExistingAccount } from "../../../shared/ton/tlb/account.js";

type Times = {
  /** Time of the zero state, if it is known. */
  zeroUtime: number | undefined;
  /** Time of the state that has the account. */
  stateUtime: number;
};

/**
 * The time of the block that left an account in this state: its last transaction collected storage fees then. Accounts that
 * pay none do not say when; those without a transaction are as in the zero state.
 */
export function changedAt(
  account: ExistingAccount,
  lastLt: bigint,
  { zeroUtime, stateUtime }: Times,
): number {
  if (lastLt === 0n) return zeroUtime ?? stateUtime;
  return account.storageStat.lastPaid || stateUtime;
}
