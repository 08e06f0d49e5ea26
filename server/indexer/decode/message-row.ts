import type { Cell } from "../../../shared/ton/cells/cell.js";
import { flagsVersion, v3Currencies } from "../../../shared/ton/present/v3/message.js";
import type { CellOf } from "../../../shared/ton/tlb/cell-of.js";
import { type Message, normalizedHash } from "../../../shared/ton/tlb/message.js";
import { accountOf, type MsgAddress } from "../../../shared/ton/tlb/msg-address.js";
import { bytesEqual } from "../../../shared/values/bytes.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { codeOf, directions } from "../../store/codes.js";
import type { MessageRow } from "../../store/tables/messages.js";
import type { TransactionRow } from "../../store/tables/transactions.js";

/** The transaction of a message, and its side of the message. */
export type MessageContext = { transaction: TransactionRow; direction: (typeof directions)[number] };

const directionCodes = { in: codeOf(directions, "in"), out: codeOf(directions, "out") };

/** The row of a message's other side, with the same content. Most messages of a block are sent and received in it. */
export function sameMessageRow(row: MessageRow, { transaction, direction }: MessageContext): MessageRow {
  return {
    ...row,
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    mc_seqno: transaction.mc_block_seqno,
    direction: directionCodes[direction],
    is_first: true,
  };
}

/** The row of one side of a message, as if it began its trace. `globalVersion` is parameter 8 of the configuration. */
export function messageRow(
  { cell, value }: CellOf<Message>,
  { transaction, direction }: MessageContext,
  globalVersion: number,
): MessageRow {
  const { info, body, init } = value;
  const hash = cell.hash();
  const internal = info.kind === "internal" ? info : undefined;
  const created = info.kind === "externalIn" ? undefined : info;
  const external = info.kind === "externalIn" ? info : undefined;
  const hasFlags = globalVersion >= flagsVersion;
  // A single object literal without spreads, because messages are the most frequent rows.
  return {
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    mc_seqno: transaction.mc_block_seqno,
    msg_hash: hash,
    msg_hash_norm: external && otherHash(value, hash),
    direction: directionCodes[direction],
    is_first: true,
    source: created && bytesOf(created.src),
    destination: bytesOf((internal ?? external)?.dest),
    value: internal?.value.coins,
    value_extra_currencies: internal && v3Currencies(internal.value),
    fwd_fee: internal?.fwdFee,
    ihr_fee: hasFlags ? undefined : internal?.extraFlags || undefined,
    extra_flags: hasFlags ? internal?.extraFlags : undefined,
    created_lt: created?.createdLt,
    created_at: created?.createdAt,
    opcode: opcodeOf(body),
    ihr_disabled: internal?.ihrDisabled,
    bounce: internal?.bounce,
    bounced: internal?.bounced,
    import_fee: external?.importFee,
    body_hash: body.hash(),
    init_state_hash: init?.cell.hash(),
  };
}

function bytesOf(address: MsgAddress): Uint8Array | undefined {
  const account = accountOf(address);
  return account && addressToBytes(account);
}

/** The normalized hash of an external inbound message; `undefined` if it equals the message's own hash. */
function otherHash(message: Message, hash: Uint8Array): Uint8Array | undefined {
  const normalized = normalizedHash(message);
  return bytesEqual(normalized, hash) ? undefined : normalized;
}

function opcodeOf(body: Cell): number | undefined {
  return body.exotic || body.bits < 32 ? undefined : body.parse().loadInt(32);
}
