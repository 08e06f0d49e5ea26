// msg_import_ext$000 msg:^(Message Any) transaction:^Transaction = InMsg;
// msg_import_ihr$010 msg:^(Message Any) transaction:^Transaction ihr_fee:Grams proof_created:^Cell = InMsg;
// msg_import_imm$011 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_fin$100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_tr$101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope transit_fee:Grams = InMsg;
// msg_discard_fin$110 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams = InMsg;
// msg_discard_tr$111 in_msg:^MsgEnvelope transaction_id:uint64 fwd_fee:Grams proof_delivered:^Cell = InMsg;
// msg_import_deferred_fin$00100 in_msg:^MsgEnvelope transaction:^Transaction fwd_fee:Grams = InMsg;
// msg_import_deferred_tr$00101 in_msg:^MsgEnvelope out_msg:^MsgEnvelope = InMsg;
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { Message } from "./message.js";
import { MsgEnvelope } from "./msg-envelope.js";
import { cellRef, coins, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";
import { Transaction } from "./transaction.js";

const msg = cellOf(Message);
const envelope = cellOf(MsgEnvelope);
const transaction = cellOf(Transaction);

/** How a block imported a message. */
export type InMsg = Decoded<typeof InMsg>;
export const InMsg = choice("InMsg", {
  ext: record("msg_import_ext$000", { msg, transaction }),
  ihr: record("msg_import_ihr$010", { msg, transaction, ihrFee: coins, proofCreated: cellRef }),
  imm: record("msg_import_imm$011", { inMsg: envelope, transaction, fwdFee: coins }),
  fin: record("msg_import_fin$100", { inMsg: envelope, transaction, fwdFee: coins }),
  tr: record("msg_import_tr$101", { inMsg: envelope, outMsg: envelope, transitFee: coins }),
  discardFin: record("msg_discard_fin$110", { inMsg: envelope, transactionId: uint64, fwdFee: coins }),
  discardTr: record("msg_discard_tr$111", {
    inMsg: envelope,
    transactionId: uint64,
    fwdFee: coins,
    proofDelivered: cellRef,
  }),
  deferredFin: record("msg_import_deferred_fin$00100", { inMsg: envelope, transaction, fwdFee: coins }),
  deferredTr: record("msg_import_deferred_tr$00101", { inMsg: envelope, outMsg: envelope }),
});
