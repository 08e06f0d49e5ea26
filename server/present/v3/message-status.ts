import type { MessageStatus } from "../../../shared/schema/v3/message-status.js";
import { bytesToBase64 } from "../../../shared/values/bytes.js";
import { codeOf, directions } from "../../store/codes.js";
import { rawAddress, shardHex } from "../../store/declare/wire-forms.js";
import type { JudgedTransaction, MessageSide } from "../../store/queries/messages/message-status.js";
import { hasFailed } from "./failure.js";

type TransactionRef = NonNullable<Extract<MessageStatus, { status: "pending" }>["sent_by"]>;
export type MessageNames = Pick<MessageStatus, "message_hash" | "message_hash_norm">;

const inbound = codeOf(directions, "in");

/** Only external messages have a normalized hash. */
export function presentNames(hash: Uint8Array, hashNorm: Uint8Array | undefined): MessageNames {
  return {
    message_hash: bytesToBase64(hash),
    message_hash_norm: hashNorm === undefined ? null : bytesToBase64(hashNorm),
  };
}

/** The names of a stored message; its normalized hash is stored only if it differs from its own hash. */
export function namesOf({ msg_hash, msg_hash_norm, source, direction }: MessageSide): MessageNames {
  const isExternal = source === undefined && direction === inbound;
  return presentNames(msg_hash, isExternal ? (msg_hash_norm ?? msg_hash) : undefined);
}

export function presentTransactionRef(t: JudgedTransaction, isFirstOfExternal: boolean): TransactionRef {
  return {
    account: rawAddress.present(t.account),
    hash: bytesToBase64(t.hash),
    lt: t.lt.toString(),
    now: Number(t.now),
    success: !hasFailed(t, isFirstOfExternal),
  };
}

/** The reference to the block of a transaction. */
export function presentBlockOf(t: JudgedTransaction) {
  return {
    workchain: t.block_workchain,
    shard: shardHex.present(t.block_shard),
    seqno: t.block_seqno,
  };
}
