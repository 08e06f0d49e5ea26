import { presentPlainTransaction } from "../../../../../shared/ton/present/transaction.js";
import type { FoundTransaction } from "../../../../../shared/ton/proofs/read/transactions.js";
import type { CellOf } from "../../../../../shared/ton/tlb/cell-of.js";
import type { Message } from "../../../../../shared/ton/tlb/message.js";
import { bytesToHex } from "../../../../../shared/values/bytes.js";
import type { ProvenValues } from "../claims.js";

/** The values of a transaction that pages show, from its cell. */
export function transactionValues(found: FoundTransaction): ProvenValues {
  const { cell, transaction } = found;
  const { inMsg, outMsgs } = transaction.messages.value;
  const update = transaction.stateUpdate.value;
  const { fee, storage_fee } = presentPlainTransaction(found);
  return {
    hash: bytesToHex(cell.hash()),
    account: found.address.toRaw(),
    lt: transaction.lt.toString(),
    now: String(transaction.now),
    total_fees: transaction.totalFees.coins.toString(),
    // API v2 counts the forwarding of messages too.
    fee,
    storage_fee,
    prev_trans_hash: bytesToHex(transaction.prevTransHash),
    prev_trans_lt: transaction.prevTransLt.toString(),
    orig_status: transaction.origStatus,
    end_status: transaction.endStatus,
    state_before: bytesToHex(update.oldHash),
    state_after: bytesToHex(update.newHash),
    out_count: String(transaction.outMsgCount),
    ...(inMsg && messageValues("in", inMsg)),
    ...Object.assign(
      {},
      ...Array.from(outMsgs.entries(), ([index, each]) => messageValues(`out${index}`, each)),
    ),
  };
}

function messageValues(name: string, { cell, value: { info } }: CellOf<Message>): ProvenValues {
  const isInternal = info.kind === "internal";
  return {
    [`${name}_hash`]: bytesToHex(cell.hash()),
    [`${name}_value`]: isInternal ? info.value.coins.toString() : "0",
    ...(isInternal && { [`${name}_fwd_fee`]: info.fwdFee.toString() }),
    ...(info.kind === "externalIn" && { [`${name}_import_fee`]: info.importFee.toString() }),
    ...(info.kind !== "externalIn" && { [`${name}_created_lt`]: info.createdLt.toString() }),
  };
}
