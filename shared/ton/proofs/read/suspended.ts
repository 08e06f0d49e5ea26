import type { SuspendedAddressList } from "../../tlb/config/contract-lists.js";
import type { AccountSnapshot } from "./account.js";

/** Whether parameter 44 of the configuration suspends an account that was not active before. */
export function isSuspended(
  { address, syncUtime }: Pick<AccountSnapshot, "address" | "syncUtime">,
  list: SuspendedAddressList | undefined,
): boolean {
  return list !== undefined && syncUtime < list.suspendedUntil && list.addresses.has(address);
}
