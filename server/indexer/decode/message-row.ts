import { bytesEqual } from "../../../shared/values/bytes.js";
import type { Cell } from "../../cells/cell.js";
import type { CellOf } from "../../chain/tlb/cell-of.js";
import { encode } from "../../chain/tlb/codec.js";
import { Message, normalizeExternal } from "../../chain/tlb/message.js";
import { accountOf, type MsgAddress } from "../../chain/tlb/msg-address.js";
import { addressToBytes } from "../../store/address-bytes.js";
import { codeOf, directions } from "../../store/codes.js";
import type { MessageRow, TransactionRow } from "../../store/tables.js";
import { extraCurrencies } from "./values.js";

/** Since this version what was the IHR fee of a message are flags. */
const flagsVersion = 12;

/** Where a message stands: its transaction, on which side of it, and the network's version then. */
export type MessagePlace = {
  transaction: TransactionRow;
  direction: (typeof directions)[number];
  globalVersion: number;
};

export function messageRow({ cell, value }: CellOf<Message>, place: MessagePlace): MessageRow {
  const { transaction, direction, globalVersion } = place;
  const { body, init } = value;
  const hash = cell.hash();
  return {
    tx_hash: transaction.hash,
    tx_lt: transaction.lt,
    mc_seqno: transaction.mc_block_seqno,
    msg_hash: hash,
    msg_hash_norm: normalizedHash(value, hash),
    direction: codeOf(directions, direction),
    trace_id: transaction.trace_id,
    ...infoColumns(value, globalVersion),
    opcode: opcodeOf(body),
    body_hash: body.hash(),
    init_state_hash: init?.cell.hash(),
  };
}

function infoColumns({ info }: Message, globalVersion: number): Partial<MessageRow> {
  if (info.kind === "externalIn") return { destination: bytesOf(info.dest), import_fee: info.importFee };
  const created = { source: bytesOf(info.src), created_lt: info.createdLt, created_at: info.createdAt };
  if (info.kind === "externalOut") return created;
  const hasFlags = globalVersion >= flagsVersion;
  return {
    ...created,
    destination: bytesOf(info.dest),
    value: info.value.coins,
    value_extra_currencies: extraCurrencies(info.value),
    fwd_fee: info.fwdFee,
    ihr_fee: hasFlags ? 0n : info.extraFlags,
    extra_flags: hasFlags ? info.extraFlags : undefined,
    ihr_disabled: info.ihrDisabled,
    bounce: info.bounce,
    bounced: info.bounced,
  };
}

function bytesOf(address: MsgAddress): Uint8Array | undefined {
  const account = accountOf(address);
  return account && addressToBytes(account);
}

/** The hash under which explorers look for an inbound external, where it is not the message's own. */
function normalizedHash(message: Message, hash: Uint8Array): Uint8Array | undefined {
  if (message.info.kind !== "externalIn") return undefined;
  const normalized = encode(Message, normalizeExternal(message)).hash();
  return bytesEqual(normalized, hash) ? undefined : normalized;
}

function opcodeOf(body: Cell): number | undefined {
  return body.exotic || body.bits < 32 ? undefined : body.parse().loadInt(32);
}
