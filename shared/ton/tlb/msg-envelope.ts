// interm_addr_regular$0 use_dest_bits:(#<= 96) = IntermediateAddress;
// interm_addr_simple$10 workchain_id:int8 addr_pfx:uint64 = IntermediateAddress;
// interm_addr_ext$11 workchain_id:int32 addr_pfx:uint64 = IntermediateAddress;
// msg_envelope#4 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) = MsgEnvelope;
// msg_metadata#0 depth:uint32 initiator_addr:MsgAddressInt initiator_lt:uint64 = MsgMetadata;
// msg_envelope_v2#5 cur_addr:IntermediateAddress next_addr:IntermediateAddress fwd_fee_remaining:Grams
//   msg:^(Message Any) emitted_lt:(Maybe uint64) metadata:(Maybe MsgMetadata) = MsgEnvelope;
import { cellOf } from "./cell-of.js";
import { type Decoded, TlbError } from "./codec.js";
import { Message } from "./message.js";
import type { InternalInfo } from "./message-info.js";
import { MsgAddressInt } from "./msg-address.js";
import { coins, int, int32, maybe, uint32, uint64, upTo } from "./primitives.js";
import { choice, record } from "./record.js";

/** How far a message has been routed: as a prefix of source and destination, or as an address. */
export type IntermediateAddress = Decoded<typeof IntermediateAddress>;
export const IntermediateAddress = choice("IntermediateAddress", {
  regular: record("interm_addr_regular$0", { useDestBits: upTo(96) }),
  simple: record("interm_addr_simple$10", { workchain: int(8), addrPfx: uint64 }),
  ext: record("interm_addr_ext$11", { workchain: int32, addrPfx: uint64 }),
});

/** Initiator of the chain of messages that this one belongs to. */
export type MsgMetadata = Decoded<typeof MsgMetadata>;
export const MsgMetadata = record("msg_metadata#0", {
  depth: uint32,
  initiatorAddr: MsgAddressInt,
  initiatorLt: uint64,
});

const common = {
  curAddr: IntermediateAddress,
  nextAddr: IntermediateAddress,
  fwdFeeRemaining: coins,
  msg: cellOf(Message),
};

export type MsgEnvelope = Decoded<typeof MsgEnvelope>;
export const MsgEnvelope = choice("MsgEnvelope", {
  v1: record("msg_envelope#4", common),
  v2: record("msg_envelope_v2#5", { ...common, emittedLt: maybe(uint64), metadata: maybe(MsgMetadata) }),
});

/** The header of the enveloped message. Throws `TlbError` unless it is internal. */
export function envelopedInfo({ msg }: MsgEnvelope): InternalInfo {
  const { info } = msg.value;
  if (info.kind !== "internal")
    throw new TlbError(`MsgEnvelope contains an internal message, not ${info.kind}`);
  return info;
}

/** The lt that orders a message in queues: when it left the dispatch queue, or its creation if it was never in one. */
export function emittedLt(envelope: MsgEnvelope): bigint {
  return (envelope.kind === "v2" && envelope.emittedLt) || envelopedInfo(envelope).createdLt;
}
