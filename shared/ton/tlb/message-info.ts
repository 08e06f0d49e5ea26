// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool
//   src:MsgAddressInt dest:MsgAddressInt
//   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams
//   created_lt:uint64 created_at:uint32 = CommonMsgInfo;
// ext_in_msg_info$10 src:MsgAddressExt dest:MsgAddressInt import_fee:Grams = CommonMsgInfo;
// ext_out_msg_info$11 src:MsgAddressInt dest:MsgAddressExt
//   created_lt:uint64 created_at:uint32 = CommonMsgInfo;
//
// int_msg_info$0 ihr_disabled:Bool bounce:Bool bounced:Bool
//   src:MsgAddress dest:MsgAddressInt
//   value:CurrencyCollection extra_flags:(VarUInteger 16) fwd_fee:Grams
//   created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
// ext_out_msg_info$11 src:MsgAddress dest:MsgAddressExt
//   created_lt:uint64 created_at:uint32 = CommonMsgInfoRelaxed;
import type { Codec, Decoded } from "./codec.js";
import { CurrencyCollection } from "./currency-collection.js";
import { MsgAddress, MsgAddressExt, MsgAddressInt } from "./msg-address.js";
import { bool, coins, uint32, uint64 } from "./primitives.js";
import { choice, record } from "./record.js";

function internal<Source>(src: Codec<Source>) {
  return record("int_msg_info$0", {
    ihrDisabled: bool,
    bounce: bool,
    bounced: bool,
    src,
    dest: MsgAddressInt,
    value: CurrencyCollection,
    /** Up to global version 11 this was the ihr_fee, an amount in nanotons. */
    extraFlags: coins,
    fwdFee: coins,
    createdLt: uint64,
    createdAt: uint32,
  });
}

function externalOut<Source>(src: Codec<Source>) {
  return record("ext_out_msg_info$11", { src, dest: MsgAddressExt, createdLt: uint64, createdAt: uint32 });
}

export type CommonMsgInfo = Decoded<typeof CommonMsgInfo>;
export const CommonMsgInfo = choice("CommonMsgInfo", {
  internal: internal(MsgAddressInt),
  externalIn: record("ext_in_msg_info$10", { src: MsgAddressExt, dest: MsgAddressInt, importFee: coins }),
  externalOut: externalOut(MsgAddressInt),
});

export type InternalInfo = Extract<CommonMsgInfo, { kind: "internal" }>;

/** The header of a message in a send action: the source may be absent. */
export type CommonMsgInfoRelaxed = Decoded<typeof CommonMsgInfoRelaxed>;
export const CommonMsgInfoRelaxed = choice("CommonMsgInfoRelaxed", {
  internal: internal(MsgAddress),
  externalOut: externalOut(MsgAddress),
});
