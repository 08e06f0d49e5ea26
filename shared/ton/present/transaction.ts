import type { z } from "zod";
import type {
  blockTransaction,
  plainTransaction,
  shortTransaction,
  standardTransaction,
} from "../../schema/v2/transactions.js";
import { bytesToBase64, bytesToHex } from "../../values/bytes.js";
import type { ListedTransaction } from "../proofs/read/block-transactions.js";
import type { FoundTransaction } from "../proofs/read/transactions.js";
import type { CellOf } from "../tlb/cell-of.js";
import type { Message } from "../tlb/message.js";
import type { Transaction } from "../tlb/transaction.js";
import { presentPlainMessage, presentStandardMessage } from "./message.js";
import { presentAccount, presentBoc, presentTransactionId } from "./records.js";

/** In the form of getTransactions and tryLocateTx. */
export function presentPlainTransaction(found: FoundTransaction): z.output<typeof plainTransaction> {
  return {
    "@type": "ext.transaction",
    address: presentAccount(found.address),
    account: found.address.toRawUpper(),
    ...detailsOf(found, presentPlainMessage),
  };
}

/** In the form of getTransactionsStd. */
export function presentStandardTransaction(found: FoundTransaction): z.output<typeof standardTransaction> {
  return {
    "@type": "raw.transaction",
    address: presentAccount(found.address),
    ...detailsOf(found, presentStandardMessage),
  };
}

/** In the form of getBlockTransactionsExt. */
export function presentBlockTransaction(found: FoundTransaction): z.output<typeof blockTransaction> {
  return {
    "@type": "raw.transactionExt",
    address: presentAccount(found.address),
    account: found.address.toRawUpper(),
    ...detailsOf(found, presentStandardMessage),
  };
}

/** In the form of getBlockTransactions. */
export function presentShortTransaction(
  workchain: number,
  { account, lt, hash }: ListedTransaction,
): z.output<typeof shortTransaction> {
  return {
    "@type": "blocks.shortTxId",
    // The mode of the liteserver query: account, lt and hash, starting after a transaction.
    mode: 135,
    account: `${workchain}:${bytesToHex(account)}`,
    lt: lt.toString(),
    hash: bytesToBase64(hash),
  };
}

function detailsOf<M>({ cell, transaction }: FoundTransaction, present: (message: CellOf<Message>) => M) {
  const { inMsg, outMsgs } = transaction.messages.value;
  const sent = [...outMsgs.values()];
  return {
    utime: transaction.now,
    data: presentBoc(cell),
    transaction_id: presentTransactionId({ lt: transaction.lt, hash: cell.hash() }),
    ...feesOf(transaction, sent),
    ...(inMsg && { in_msg: present(inMsg) }),
    out_msgs: sent.map(present),
  };
}

function feesOf(transaction: Transaction, sent: readonly CellOf<Message>[]) {
  const forwarding = sent.reduce((sum, { value: { info } }) => sum + forwardingFee(info), 0n);
  const fee = transaction.totalFees.coins + forwarding;
  const storageFee = storageFeeOf(transaction);
  return {
    fee: fee.toString(),
    storage_fee: storageFee.toString(),
    other_fee: (fee - storageFee).toString(),
  };
}

function forwardingFee(info: Message["info"]): bigint {
  return info.kind === "internal" ? info.fwdFee : 0n;
}

function storageFeeOf({ description }: Transaction): bigint {
  const { value } = description;
  return ("storagePh" in value ? value.storagePh?.storageFeesCollected : undefined) ?? 0n;
}
