// wfmt_basic#1 vm_version:int32 vm_mode:uint64 = WorkchainFormat 1;
// wfmt_ext#0 min_addr_len:(## 12) max_addr_len:(## 12) addr_len_step:(## 12)
//   { min_addr_len >= 64 } { min_addr_len <= max_addr_len } { max_addr_len <= 1023 } { addr_len_step <= 1023 }
//   workchain_type_id:(## 32) { workchain_type_id >= 1 } = WorkchainFormat 0;
// wc_split_merge_timings#0 split_merge_delay:uint32 split_merge_interval:uint32
//   min_split_merge_interval:uint32 max_split_merge_delay:uint32 = WcSplitMergeTimings;
// workchain#a6 enabled_since:uint32 monitor_min_split:(## 8) min_split:(## 8) max_split:(## 8)
//   basic:(## 1) active:Bool accept_msgs:Bool flags:(## 13) { flags = 0 }
//   zerostate_root_hash:bits256 zerostate_file_hash:bits256
//   version:uint32 format:(WorkchainFormat basic) = WorkchainDescr;
// workchain_v2#a7 (the same, then) split_merge_timings:WcSplitMergeTimings
//   persistent_state_split_depth:(## 8) { persistent_state_split_depth <= 63 } = WorkchainDescr;
import { type Dictionary, intKey } from "../../cells/dictionaries/dictionary.js";
import { codec, type Decoded, TlbError } from "../codec.js";
import { hashmapE } from "../dictionaries.js";
import { bits256, bool, int32, uint, uint8, uint32, uint64 } from "../primitives.js";
import { choice, record } from "../record.js";

const WorkchainFormat = choice("WorkchainFormat", {
  basic: record("wfmt_basic#1", { vmVersion: int32, vmMode: uint64 }),
  ext: record("wfmt_ext#0", {
    minAddrLen: uint(12),
    maxAddrLen: uint(12),
    addrLenStep: uint(12),
    workchainTypeId: uint32,
  }),
});

const WcSplitMergeTimings = record("wc_split_merge_timings#0", {
  splitMergeDelay: uint32,
  splitMergeInterval: uint32,
  minSplitMergeInterval: uint32,
  maxSplitMergeDelay: uint32,
});

const common = {
  enabledSince: uint32,
  monitorMinSplit: uint8,
  minSplit: uint8,
  maxSplit: uint8,
  /** Must match the kind of `format`. */
  basic: bool,
  active: bool,
  acceptMsgs: bool,
  flags: uint(13),
  zerostateRootHash: bits256,
  zerostateFileHash: bits256,
  version: uint32,
  format: WorkchainFormat,
};
const layout = choice("WorkchainDescr", {
  v1: record("workchain#a6", common),
  v2: record("workchain_v2#a7", {
    ...common,
    splitMergeTimings: WcSplitMergeTimings,
    persistentStateSplitDepth: uint8,
  }),
});

export type WorkchainDescr = Decoded<typeof layout>;
export const WorkchainDescr = codec<WorkchainDescr>(
  "WorkchainDescr",
  (slice) => checked(layout.load(slice)),
  (value, builder) => layout.store(checked(value), builder),
);

function checked(descr: WorkchainDescr): WorkchainDescr {
  if (descr.basic !== (descr.format.kind === "basic"))
    throw new TlbError(`WorkchainDescr: basic is ${descr.basic}, the format ${descr.format.kind}`);
  return descr;
}

/** ConfigParam 12. */
export type Workchains = Dictionary<number, WorkchainDescr>;
export const Workchains = hashmapE(intKey(32), WorkchainDescr);
