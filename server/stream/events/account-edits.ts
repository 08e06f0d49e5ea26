import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { itemAt } from "../../../shared/values/lookups.js";
import type { TransactionRecord } from "../../present/v3/transaction.js";
import { accountStatuses } from "../../store/codes.js";
import { rawAddress } from "../../store/declare/wire-forms.js";
import type { AccountState } from "../../store/tables/accounts.js";

/** Account states that a masterchain block changed without a transaction, as devnet edits do. */
export type ReadEdits = (seqno: number) => Promise<readonly AccountState[]>;

/** The account in the form that a transaction's result has. */
export type EditedAccount = Pick<TransactionRecord, "account" | "lt" | "account_state_after">;

/** The stored state of an edited account as an event shows it. */
export function editedAccount(row: AccountState): EditedAccount {
  const hashOf = (bytes: Uint8Array | undefined) => (bytes ? bytesToBase64(bytes) : null);
  return {
    account: rawAddress.present(row.account),
    lt: String(row.lt),
    account_state_after: {
      hash: bytesToBase64(row.hash),
      balance: String(row.balance),
      extra_currencies: row.balance_extra_currencies ?? {},
      account_status: itemAt(accountStatuses, row.account_status),
      frozen_hash: hashOf(row.frozen_hash),
      data_hash: hashOf(row.data_hash),
      code_hash: hashOf(row.code_hash),
    },
  };
}
