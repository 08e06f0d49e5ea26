// msg_export_ext$000 msg:^(Message Any) transaction:^Transaction = OutMsg;
// msg_export_imm$010 out_msg:^MsgEnvelope transaction:^Transaction reimport:^InMsg = OutMsg;
// msg_export_new$001 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_tr$011 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_deq$1100 out_msg:^MsgEnvelope import_block_lt:uint63 = OutMsg;
// msg_export_deq_short$1101 msg_env_hash:bits256 next_workchain:int32 next_addr_pfx:uint64
//   import_block_lt:uint64 = OutMsg;
// msg_export_tr_req$111 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
// msg_export_deq_imm$100 out_msg:^MsgEnvelope reimport:^InMsg = OutMsg;
// msg_export_new_defer$10100 out_msg:^MsgEnvelope transaction:^Transaction = OutMsg;
// msg_export_deferred_tr$10101 out_msg:^MsgEnvelope imported:^InMsg = OutMsg;
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { InMsg } from "./in-msg.js";
import { Message } from "./message.js";
import { MsgEnvelope } from "./msg-envelope.js";
import { bigUint, bits256, int32, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";
import { Transaction } from "./transaction.js";

const outMsg = cellOf(MsgEnvelope);
const transaction = cellOf(Transaction);
const imported = cellOf(InMsg);

/** How a block exported a message or removed it from a queue. */
export type OutMsg = Decoded<typeof OutMsg>;
export const OutMsg = choice("OutMsg", {
  ext: record("msg_export_ext$000", { msg: cellOf(Message), transaction }),
  imm: record("msg_export_imm$010", { outMsg, transaction, reimport: imported }),
  new: record("msg_export_new$001", { outMsg, transaction }),
  tr: record("msg_export_tr$011", { outMsg, imported }),
  deq: record("msg_export_deq$1100", { outMsg, importBlockLt: bigUint(63) }),
  deqShort: record("msg_export_deq_short$1101", {
    msgEnvHash: bits256,
    nextWorkchain: int32,
    nextAddrPfx: uint64,
    importBlockLt: uint64,
  }),
  trReq: record("msg_export_tr_req$111", { outMsg, imported }),
  deqImm: record("msg_export_deq_imm$100", { outMsg, reimport: imported }),
  newDefer: record("msg_export_new_defer$10100", { outMsg, transaction }),
  deferredTr: record("msg_export_deferred_tr$10101", { outMsg, imported }),
});
