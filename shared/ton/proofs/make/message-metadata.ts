import { Address } from "../../../values/address.js";
import type { Cell } from "../../cells/cell.js";
import type { TransactionMetadata } from "../../lite/lite-api.js";
import { decode } from "../../tlb/codec.js";
import type { MsgMetadata } from "../../tlb/msg-envelope.js";
import { Transaction } from "../../tlb/transaction.js";
import { failure } from "./load.js";
import { openBlock } from "./open-block.js";

/** Depth and initiator of a transaction's message chain; undefined if its inbound message has no metadata. */
export function messageMetadata(block: Cell, transaction: Cell): TransactionMetadata | undefined {
  const message = decode(Transaction, transaction).messages.value.inMsg;
  if (!message) return undefined;
  const inMsg = openBlock(block).extra.value.inMsgDescr.value.get(message.cell.hash(0));
  if (inMsg?.kind !== "imm" && inMsg?.kind !== "fin" && inMsg?.kind !== "deferredFin") return undefined;
  const envelope = inMsg.inMsg.value;
  if (envelope.kind !== "v2" || !envelope.metadata) return undefined;
  return asAnswered(envelope.metadata);
}

export function asAnswered({ depth, initiatorAddr, initiatorLt }: MsgMetadata): TransactionMetadata {
  if (!(initiatorAddr instanceof Address)) throw failure("a message's initiator has no standard address");
  return { depth, initiator: { workchain: initiatorAddr.workchain, id: initiatorAddr.hash }, initiatorLt };
}
