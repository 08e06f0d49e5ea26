import { addressOfId } from "../../../shared/ton/lite/account-id.js";
import type { AccountId } from "../../../shared/ton/lite/lite-api.js";
import { presentBlockId } from "../../../shared/ton/present/records.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import type { Receipt } from "../../devnet/control/controls.js";

/** The address of an account, in the form of v3. */
export const addressText = (account: AccountId): string => addressOfId(account).toRawUpper();

/** `settled`: whether everything that the answer waits for was reached. */
export function presentReceipt({ txHash, lt, block }: Receipt, settled: boolean) {
  return { tx_hash: bytesToBase64(txHash), lt: lt.toString(), block: presentBlockId(block), settled };
}
