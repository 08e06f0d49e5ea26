import { CellError } from "../../../shared/ton/cells/cell-error.js";
import { viewOf } from "../../../shared/ton/cells/cell-view.js";
import { Account } from "../../../shared/ton/tlb/account.js";
import type { Block } from "../../../shared/ton/tlb/block.js";
import { decode } from "../../../shared/ton/tlb/codec.js";
import { ShardStateUnsplit } from "../../../shared/ton/tlb/shard-state.js";
import type { Address } from "../../../shared/values/address.js";
import type { TimeSlice } from "../../chain/time-slice.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { TransactionRow } from "../../store/tables/transactions.js";
import { keyOf } from "../hash-key.js";
import { type FinalAccountState, finalAccountState } from "./account.js";

/** Final states of a block's accounts; `unread` are accounts pruned in the block. */
export type TouchedAccounts = { read: FinalAccountState[]; unread: Address[] };

const nonexist = codeOf(accountStatuses, "nonexist");

/** `transactions` must be in block order, because an account's last one counts. */
export async function touchedAccounts(
  block: Block,
  transactions: readonly TransactionRow[],
  timeSlice: TimeSlice,
): Promise<TouchedAccounts> {
  const lastOnes = new Map<string, TransactionRow>();
  for (const row of transactions) lastOnes.set(keyOf(row.account), row);
  const touched: TouchedAccounts = { read: [], unread: [] };
  if (lastOnes.size === 0) return touched;
  const timestamp = block.info.value.genUtime;
  // The new side of the Merkle update contains all changed cells.
  const state = decode(ShardStateUnsplit, block.stateUpdate.ref(1));
  for (const row of lastOnes.values()) {
    const address = addressFromBytes(row.account);
    const facts = {
      address,
      timestamp,
      hash: row.account_state_hash_after,
      lastTransaction: { hash: row.hash, lt: row.lt },
    };
    try {
      const isThere = row.end_status !== nonexist;
      const cell = isThere ? state.accounts.value.get(address.hash)?.account.cell : undefined;
      // At level 0, cells have the same hashes as in the full state.
      const account = cell && decode(Account, viewOf(cell, 0));
      touched.read.push(finalAccountState(account, facts));
    } catch (error) {
      if (!isPruned(error)) throw error;
      touched.unread.push(address);
    }
    await timeSlice.yieldIfDue();
  }
  return touched;
}

/** Whether an error was caused by a pruned cell. */
function isPruned(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if (at instanceof CellError && at.code === "pruned") return true;
  return false;
}
