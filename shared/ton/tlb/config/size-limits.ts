// size_limits_config#01 max_msg_bits:uint32 max_msg_cells:uint32 max_library_cells:uint32
//   max_vm_data_depth:uint16 max_ext_msg_size:uint32 max_ext_msg_depth:uint16 = SizeLimitsConfig;
// size_limits_config_v2#02 (the same, then) max_acc_state_cells:uint32 max_mc_acc_state_cells:uint32
//   max_acc_public_libraries:uint32 defer_out_queue_size_limit:uint32 max_msg_extra_currencies:uint32
//   max_acc_fixed_prefix_length:uint8 acc_state_cells_for_storage_dict:uint32
//   max_transaction_library_loads:(Maybe uint32) = SizeLimitsConfig;
// Until 2026.05 size_limits_config_v2#02 ended before max_transaction_library_loads.
// size_limits_config_v3#03 (the same, then) max_total_msg_bits:uint32 max_total_msg_cells:uint32
//   = SizeLimitsConfig;
import { codec, type Decoded } from "../codec.js";
import { maybe, uint8, uint16, uint32 } from "../primitives.js";
import { choice, record } from "../record.js";
import { startsWith } from "../tag.js";

const v1 = {
  maxMsgBits: uint32,
  maxMsgCells: uint32,
  maxLibraryCells: uint32,
  maxVmDataDepth: uint16,
  maxExtMsgSize: uint32,
  maxExtMsgDepth: uint16,
};
const early = {
  ...v1,
  maxAccStateCells: uint32,
  maxMcAccStateCells: uint32,
  maxAccPublicLibraries: uint32,
  deferOutQueueSizeLimit: uint32,
  maxMsgExtraCurrencies: uint32,
  maxAccFixedPrefixLength: uint8,
  accStateCellsForStorageDict: uint32,
};
const v2 = { ...early, maxTransactionLibraryLoads: maybe(uint32) };

const laterTypes = choice("SizeLimitsConfig", {
  v1: record("size_limits_config#01", v1),
  v2: record("size_limits_config_v2#02", v2),
  v3: record("size_limits_config_v3#03", { ...v2, maxTotalMsgBits: uint32, maxTotalMsgCells: uint32 }),
});
const earlyV2 = record("size_limits_config_v2#02", early);
/** Both forms of #02 have the same tag. */
const earlyV2Bits = 368;

/** ConfigParam 43. `earlyV2` is #02 as it was until 2026.05. */
export type SizeLimitsConfig = Decoded<typeof laterTypes> | ({ kind: "earlyV2" } & Decoded<typeof earlyV2>);
export const SizeLimitsConfig = codec<SizeLimitsConfig>(
  "SizeLimitsConfig",
  (slice) =>
    startsWith(slice, earlyV2.tag) && slice.remainingBits === earlyV2Bits
      ? { kind: "earlyV2", ...earlyV2.load(slice) }
      : laterTypes.load(slice),
  (value, builder) =>
    value.kind === "earlyV2" ? earlyV2.store(value, builder) : laterTypes.store(value, builder),
);
