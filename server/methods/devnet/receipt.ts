import type { Address } from "../../../shared/values/address.js";
import { bytesToHex } from "../../../shared/values/bytes.js";
import type { AccountId } from "../../chain/lite-api.js";
import type { Receipt } from "../../devnet/control/controls.js";
import { presentBlockId } from "../v2/present/records.js";

export const accountOf = ({ workchain, hash }: Address): AccountId => ({ workchain, id: hash });

/** `settled`: whether all that the answer waits for was reached. */
export function presentReceipt({ txHash, lt, block }: Receipt, settled: boolean) {
  return { tx_hash: bytesToHex(txHash), lt: lt.toString(), block: presentBlockId(block), settled };
}
