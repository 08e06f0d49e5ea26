import type { ResultOf } from "../../methods/define.js";
import type { accountMethods } from "../../methods/v2/accounts.js";
import type { Cell } from "../cells/cell.js";
import type { AccountSnapshot } from "../proofs/read/account.js";
import { presentBlockId, presentExtraCurrencies, presentHash, presentTransactionId } from "./records.js";

type Context = {
  isSuspended: boolean;
  /** Text of code and data. */
  stateBoc(cell: Cell | undefined): string;
};

export function presentAddressInformation(
  account: AccountSnapshot,
  { isSuspended, stateBoc }: Context,
): ResultOf<typeof accountMethods.getAddressInformation> {
  return {
    "@type": "raw.fullAccountState",
    balance: account.balance.toString(),
    extra_currencies: presentExtraCurrencies(account.extraCurrencies),
    last_transaction_id: presentTransactionId(account.lastTransaction),
    block_id: presentBlockId(account.block),
    code: stateBoc(account.code),
    data: stateBoc(account.data),
    frozen_hash: presentHash(account.frozenHash),
    sync_utime: account.syncUtime,
    state: account.status,
    suspended: isSuspended,
  };
}
