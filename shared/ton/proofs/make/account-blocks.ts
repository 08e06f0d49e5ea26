import type { Cell } from "../../cells/cell.js";
import type { Slice } from "../../cells/slice.js";
import { AccountBlock } from "../../tlb/account-block.js";
import { CurrencyCollection } from "../../tlb/currency-collection.js";
import { walk } from "./dictionary-walk.js";
import { openBlock } from "./open-block.js";

/** A transaction of a block; account and lt are dictionary keys. */
export type ListedTransaction = { account: bigint; lt: bigint; cell: Cell };

/** Cursor of a list: it continues after this transaction, whose account may have more. */
type ListPosition = { account: bigint; lt: bigint };

/** The transaction of an account with this lt; undefined if the block has none. */
export function blockTransaction(root: Cell, accountId: Uint8Array, lt: bigint): Cell | undefined {
  const accounts = openBlock(root).extra.value.accountBlocks.value;
  return accounts.get(accountId)?.transactions.get(lt)?.cell;
}

/** The transactions of a block, ordered by account id and lt, both ascending or, with `reverse`, descending. */
export function* listTransactions(
  root: Cell,
  after: ListPosition | undefined,
  reverse: boolean,
): Generator<ListedTransaction> {
  const accounts = openBlock(root).extra.value.accountBlocks.value.root;
  if (!accounts) return;
  for (const { key: account, value } of walk(accounts, 256, after?.account, reverse)) {
    const transactions = behindExtra(value, AccountBlock).transactions.root!;
    const from = account === after?.account ? after.lt + (reverse ? -1n : 1n) : undefined;
    for (const { key: lt, value: transaction } of walk(transactions, 64, from, reverse)) {
      CurrencyCollection.load(transaction);
      yield { account, lt, cell: transaction.loadRef() };
    }
  }
}

/** Leaves of an augmented dictionary start with the sum of the fees. */
function behindExtra<T>(leaf: Slice, type: { load(slice: Slice): T }): T {
  CurrencyCollection.load(leaf);
  return type.load(leaf);
}
