/** Reasons of failed actions that tell more than their result codes do, and `other` ones. */
export type ActionReasonKind =
  | "balance"
  | "fees"
  | "spent"
  | "external"
  | "reserve"
  | "prices"
  | "size"
  | "mode"
  | "other";

/** Exit codes below it are the machine's too. */
export const firstOwnCode = 64;

const outOfGas: ReadonlySet<number> = new Set([-14, 13]);
/** The latter also says that a message is too large for any coins. */
const lackOfCoins: ReadonlySet<number> = new Set([37, 40]);

/** Whether an exit code of the compute phase says that the contract ended without an error. */
export function hasSucceeded(code: number): boolean {
  return code === 0 || code === 1;
}

/** Whether an exit code of the compute phase says that the gas was spent. */
export function isOutOfGas(code: number): boolean {
  return outOfGas.has(code);
}

/** Whether a result code of the action phase says that coins were missing. */
export function isLackOfCoins(code: number): boolean {
  return lackOfCoins.has(code);
}
