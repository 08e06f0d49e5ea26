// The members of records of API v3, with those that no proof shows.
import { type V3Message, v3Message } from "../../../shared/ton/present/v3/message.js";
import { v3Transaction } from "../../../shared/ton/present/v3/transaction.js";
import { withoutProof } from "./compare.js";

export function transactionMembers(...of: Parameters<typeof v3Transaction>) {
  const { in_msg: received, out_msgs: sent, ...members } = v3Transaction(...of);
  return {
    ...members,
    trace_id: withoutProof,
    in_msg: received && withDecoded(received),
    out_msgs: sent.map(withDecoded),
    account_state_before: stateMembers(members.account_state_before),
    account_state_after: stateMembers(members.account_state_after),
  };
}

export function messageMembers(...of: Parameters<typeof v3Message>) {
  return withDecoded(v3Message(...of));
}

function withDecoded(message: V3Message) {
  const { message_content: body, init_state: init } = message;
  return {
    ...message,
    decoded_opcode: withoutProof,
    message_content: { ...body, decoded: withoutProof },
    init_state: init && { ...init, decoded: withoutProof },
  };
}

/** A transaction has the hashes of the account's states alone. */
function stateMembers({ hash }: { hash: string }) {
  return {
    hash,
    balance: withoutProof,
    extra_currencies: withoutProof,
    account_status: withoutProof,
    frozen_hash: withoutProof,
    data_hash: withoutProof,
    code_hash: withoutProof,
  };
}
