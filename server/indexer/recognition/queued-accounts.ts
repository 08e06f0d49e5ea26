import { parseBocRoot, serializeBoc } from "../../../shared/ton/cells/boc/boc.js";
import { addressFromBytes } from "../../store/address-bytes.js";
import { accountStatuses, codeOf } from "../../store/codes.js";
import type { RowSet } from "../../store/copy/row-set.js";
import type { Transaction } from "../../store/database.js";
import {
  type NewQueuedAccount,
  type QueuedAccount,
  queueAccounts,
  storeCodeCosts,
} from "../../store/queries/upkeep/recognition-queue.js";
import { tables } from "../../store/tables/all-tables.js";
import type { FinalAccountState } from "../decode/account.js";
import { bytesOfKey, keyOf } from "../hash-key.js";
import type { BatchBudget, Deferral } from "./recognition-budget.js";

const active = codeOf(accountStatuses, "active");

/** The masterchain blocks whose transactions of an account lack token events until it is recognised. */
type QueuedBlocks = { from: number; to: number };

/** The queue row of a deferred account, which must have code and data. */
export function queuedRow(
  { account, block, blamed, costMs }: Deferral,
  blocks: QueuedBlocks,
): NewQueuedAccount {
  const { state, data, hasLibraries, timestamp } = account;
  return {
    account: state.account,
    code_hash: state.code_hash!,
    hash: state.hash,
    data_hash: state.data_hash!,
    data_boc: data?.cell && serializeBoc(data.cell),
    balance: state.balance,
    balance_extra_currencies: state.balance_extra_currencies,
    has_libraries: hasLibraries,
    last_trans_lt: account.lastTransaction?.lt ?? 0n,
    timestamp,
    mc_seqno: block.seqno,
    from_seqno: blocks.from,
    to_seqno: blocks.to,
    blamed_code: bytesOfKey(blamed),
    cost_ms: costMs,
  };
}

/** Queues the deferred accounts of a batch, and stores the costs of codes. */
export async function queueDeferred(
  transaction: Transaction,
  budget: BatchBudget,
  blocks: QueuedBlocks,
): Promise<void> {
  const rows = new Map<string, NewQueuedAccount>();
  for (const each of budget.deferred) {
    const row = queuedRow(each, blocks);
    const name = `${keyOf(row.account)} ${keyOf(row.code_hash)}`;
    // If an account ended and reappeared within the batch, its last state is examined first.
    if (!rows.has(name)) rows.set(name, row);
  }
  await queueAccounts(transaction, [...rows.values()]);
  await storeCodeCosts(transaction, budget.takeCosts());
}

/** Adds the codes of deferred accounts: for accounts that ended within their batch nothing else is stored. */
export function addQueuedCodes(rows: RowSet, deferred: readonly Deferral[]): void {
  const codes = rows.of(tables.contractCodes);
  for (const { account } of deferred)
    if (account.code?.cell) codes.add({ code_hash: account.code.hash, boc: serializeBoc(account.code.cell) });
}

/** A queued account in the state in which it was deferred. */
export function queuedState({ queued, code }: QueuedAccount): FinalAccountState {
  const { account, hash, balance, balance_extra_currencies, code_hash, data_hash, data_boc } = queued;
  const { last_trans_lt: lt, timestamp, has_libraries: hasLibraries } = queued;
  return {
    address: addressFromBytes(account),
    state: {
      account,
      lt,
      hash,
      balance,
      balance_extra_currencies,
      account_status: active,
      frozen_hash: undefined,
      code_hash,
      data_hash,
    },
    code: { hash: code_hash, cell: code && parseBocRoot(code) },
    data: { hash: data_hash, cell: data_boc && parseBocRoot(data_boc) },
    hasLibraries,
    timestamp,
    // Rows of contracts do not contain the transaction's hash.
    lastTransaction: lt === 0n ? undefined : { lt, hash: new Uint8Array(32) },
  };
}
