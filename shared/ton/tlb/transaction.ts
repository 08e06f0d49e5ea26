// transaction$0111 account_addr:bits256 lt:uint64
//   prev_trans_hash:bits256 prev_trans_lt:uint64 now:uint32
//   outmsg_cnt:uint15
//   orig_status:AccountStatus end_status:AccountStatus
//   ^[ in_msg:(Maybe ^(Message Any)) out_msgs:(HashmapE 15 ^(Message Any)) ]
//   total_fees:CurrencyCollection state_update:^(HASH_UPDATE Account)
//   description:^TransactionDescr = Transaction;
import { uintKey } from "../cells/dictionaries/dictionary.js";
import { AccountStatus } from "./account.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { hashmapE } from "./dictionaries.js";
import { HashUpdate } from "./hash-update.js";
import { Message } from "./message.js";
import { bits256, maybe, uint, uint32, uint64 } from "./primitives.js";
import { record } from "./record.js";
import { TransactionDescr } from "./transaction-descr.js";

export type TransactionMessages = Decoded<typeof TransactionMessages>;
export const TransactionMessages = record("transaction$0111 ^[]", {
  inMsg: maybe(cellOf(Message)),
  /** Keyed by index, from 0. */
  outMsgs: hashmapE(uintKey(15), cellOf(Message)),
});

export type Transaction = Decoded<typeof Transaction>;
export const Transaction = record("transaction$0111", {
  accountAddr: bits256,
  lt: uint64,
  prevTransHash: bits256,
  prevTransLt: uint64,
  now: uint32,
  outMsgCount: uint(15),
  origStatus: AccountStatus,
  endStatus: AccountStatus,
  messages: cellOf(TransactionMessages),
  totalFees: CurrencyCollection,
  stateUpdate: cellOf(HashUpdate),
  description: cellOf(TransactionDescr),
});
