// block_extra in_msg_descr:^InMsgDescr out_msg_descr:^OutMsgDescr
//   account_blocks:^ShardAccountBlocks rand_seed:bits256 created_by:bits256
//   custom:(Maybe ^McBlockExtra) = BlockExtra;
import { ShardAccountBlocks } from "./account-block.js";
import { cellOf } from "./cell-of.js";
import type { Decoded } from "./codec.js";
import { InMsgDescr } from "./in-msg-descr.js";
import { McBlockExtra } from "./mc-block-extra.js";
import { OutMsgDescr } from "./out-msg-descr.js";
import { bits256, maybe } from "./primitives.js";
import { record } from "./record.js";

/** The scheme does not state the tag: it is the CRC-32 that the TL-B compiler computes from the line above. */
export type BlockExtra = Decoded<typeof BlockExtra>;
export const BlockExtra = record("block_extra#4a33f6fd", {
  inMsgDescr: cellOf(InMsgDescr),
  outMsgDescr: cellOf(OutMsgDescr),
  accountBlocks: cellOf(ShardAccountBlocks),
  randSeed: bits256,
  createdBy: bits256,
  custom: maybe(cellOf(McBlockExtra)),
});
