// Small numbers in the tables and the words of the API for them: a code is a position in its list.
export const accountStatuses = ["nonexist", "uninit", "frozen", "active"] as const;
export const transactionKinds = [
  "ord",
  "storage",
  "tick_tock",
  "split_prepare",
  "split_install",
  "merge_prepare",
  "merge_install",
] as const;
export const skipReasons = ["no_state", "bad_state", "no_gas", "suspended"] as const;
export const statusChanges = ["unchanged", "frozen", "deleted"] as const;
export const bounceKinds = ["negfunds", "nofunds", "ok"] as const;
export const directions = ["in", "out"] as const;
export const traceStates = ["pending", "complete", "broken"] as const;
export const classificationStates = ["unclassified", "failed", "ok", "broken"] as const;
/** Events of a validator's stake. */
export const validatorEventTypes = [
  "stake_accepted",
  "stake_rejected",
  "stake_recovered",
  "recover_requested",
  "recover_failed",
] as const;
/** Events of a nominator's share in a pool. */
export const nominatorEventTypes = [
  "reward",
  "pending_deposit_activation",
  "deposit",
  "withdrawal",
  "withdrawal_request",
] as const;
/** Events of the share of a pool's validator. */
export const poolValidatorEventTypes = ["reward", "penalty", "deposit", "withdrawal"] as const;
/** States of a range of masterchain blocks. */
export const rangeStates = ["open", "claimed", "stored"] as const;

/** The code of a word. */
export function codeOf<const Words extends readonly string[]>(words: Words, word: Words[number]): number {
  return words.indexOf(word);
}
