// param_limits#c3 underload:# soft_limit:# { underload <= soft_limit }
//   hard_limit:# { soft_limit <= hard_limit } = ParamLimits;
// imported_msg_queue_limits#d3 max_bytes:# max_msgs:# = ImportedMsgQueueLimits;
// block_limits#5d bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits = BlockLimits;
// block_limits_v2#5e bytes:ParamLimits gas:ParamLimits lt_delta:ParamLimits
//   collated_data:ParamLimits imported_msg_queue:ImportedMsgQueueLimits = BlockLimits;
import type { Decoded } from "../codec.js";
import { uint32 } from "../primitives.js";
import { choice, record } from "../record.js";

const ParamLimits = record("param_limits#c3", {
  underload: uint32,
  softLimit: uint32,
  hardLimit: uint32,
});

const importedMsgQueueLimits = record("imported_msg_queue_limits#d3", { maxBytes: uint32, maxMsgs: uint32 });
const common = { bytes: ParamLimits, gas: ParamLimits, ltDelta: ParamLimits };

/** ConfigParam 22 (masterchain) and 23. */
export type BlockLimits = Decoded<typeof BlockLimits>;
export const BlockLimits = choice("BlockLimits", {
  v1: record("block_limits#5d", common),
  v2: record("block_limits_v2#5e", {
    ...common,
    collatedData: ParamLimits,
    importedMsgQueue: importedMsgQueueLimits,
  }),
});
