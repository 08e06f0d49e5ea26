import type { z } from "zod";
import type { transaction } from "../../../schema/v3/transactions.js";
import { bytesToBase64 } from "../../../values/bytes.js";
import type { FoundTransaction } from "../../proofs/read/transactions.js";
import type { BlockId } from "../../tlb/block-id.js";
import { type V3Message, v3Currencies, v3Message } from "./message.js";
import { v3Description } from "./phases.js";

type Answered = z.output<typeof transaction>;

/** The members of a finalized transaction in API v3 that follow from its cell and its block. Absent ones are undefined. */
type V3Transaction = Omit<
  Answered,
  "trace_id" | "in_msg" | "out_msgs" | "account_state_before" | "account_state_after" | "trace_external_hash"
> & {
  in_msg: V3Message | null;
  out_msgs: V3Message[];
  account_state_before: { hash: string };
  account_state_after: { hash: string };
};

/** A block as records name it. */
export function blockRef({ workchain, shard, seqno }: BlockId) {
  return { workchain, shard: BigInt.asUintN(64, shard).toString(16).toUpperCase(), seqno };
}

/** `mcSeqno`: the first masterchain block that registers the transaction's block. */
type Place = { block: BlockId; mcSeqno: number; globalVersion: number };

export function v3Transaction(
  { address, cell, transaction: value }: FoundTransaction,
  { block, mcSeqno, globalVersion }: Place,
): V3Transaction {
  const { inMsg, outMsgs } = value.messages.value;
  const { oldHash, newHash } = value.stateUpdate.value;
  return {
    account: address.toRawUpper(),
    hash: bytesToBase64(cell.hash()),
    lt: String(value.lt),
    now: value.now,
    mc_block_seqno: mcSeqno,
    prev_trans_hash: bytesToBase64(value.prevTransHash),
    prev_trans_lt: String(value.prevTransLt),
    orig_status: value.origStatus,
    end_status: value.endStatus,
    total_fees: String(value.totalFees.coins),
    total_fees_extra_currencies: v3Currencies(value.totalFees) ?? {},
    description: v3Description(value.description.value),
    block_ref: blockRef(block),
    in_msg: inMsg ? v3Message(inMsg, globalVersion) : null,
    out_msgs: Array.from(outMsgs.values(), (message) => v3Message(message, globalVersion)),
    account_state_before: { hash: bytesToBase64(oldHash) },
    account_state_after: { hash: bytesToBase64(newHash) },
    emulated: false,
    finality: "finalized",
  };
}
