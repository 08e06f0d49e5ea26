// simplex_config#21 flags:(## 7) use_quic:Bool target_rate_ms:uint32
//   slots_per_leader_window:(## 32) { slots_per_leader_window >= 1 }
//   first_block_timeout_ms:uint32 max_leader_window_desync:uint32 = NewConsensusConfig;
// simplex_config_v2#22 flags:(## 5) protocol_version:(## 2) use_quic:Bool
//   slots_per_leader_window:(## 32) { slots_per_leader_window >= 1 }
//   noncritical_params:(HashmapE 8 uint32) = NewConsensusConfig;
// new_consensus_config_all#10 mc:(Maybe ^NewConsensusConfig) shard:(Maybe ^NewConsensusConfig)
//   = NewConsensusConfigAll;
import { uintKey } from "../../cells/dictionaries/dictionary.js";
import { cellOf } from "../cell-of.js";
import type { Decoded } from "../codec.js";
import { hashmapE } from "../dictionaries.js";
import { bool, maybe, uint, uint32 } from "../primitives.js";
import { choice, record } from "../record.js";

/** Settings of the consensus named simplex. The keys of `noncriticalParams` name settings of the node. */
export type SimplexConfig = Decoded<typeof SimplexConfig>;
export const SimplexConfig = choice("NewConsensusConfig", {
  v1: record("simplex_config#21", {
    flags: uint(7),
    useQuic: bool,
    targetRateMs: uint32,
    slotsPerLeaderWindow: uint32,
    firstBlockTimeoutMs: uint32,
    maxLeaderWindowDesync: uint32,
  }),
  v2: record("simplex_config_v2#22", {
    flags: uint(5),
    protocolVersion: uint(2),
    useQuic: bool,
    slotsPerLeaderWindow: uint32,
    noncriticalParams: hashmapE(uintKey(8), uint32),
  }),
});

/** ConfigParam 30. Chains without settings have the consensus of ConfigParam 29. */
export type NewConsensusConfig = Decoded<typeof NewConsensusConfig>;
export const NewConsensusConfig = record("new_consensus_config_all#10", {
  mc: maybe(cellOf(SimplexConfig)),
  shard: maybe(cellOf(SimplexConfig)),
});
