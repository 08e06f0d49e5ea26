// catchain_config#c1 mc_catchain_lifetime:(## 32) shard_catchain_lifetime:(## 32)
//   shard_validators_lifetime:(## 32) shard_validators_num:(## 32) = CatchainConfig;
// catchain_config_new#c2 flags:(## 7) { flags = 0 } shuffle_mc_validators:Bool
//   mc_catchain_lifetime:(## 32) shard_catchain_lifetime:(## 32)
//   shard_validators_lifetime:(## 32) shard_validators_num:(## 32) = CatchainConfig;
// consensus_config#d6 round_candidates:# next_candidate_delay_ms:uint32 consensus_timeout_ms:uint32
//   fast_attempts:uint32 attempt_duration:uint32 catchain_max_deps:uint32
//   max_block_bytes:uint32 max_collated_bytes:uint32 = ConsensusConfig;
// consensus_config_new#d7 flags:(## 7) { flags = 0 } new_catchain_ids:Bool round_candidates:(## 8)
//   (the rest as before) = ConsensusConfig;
// consensus_config_v3#d8 (as #d7, then) proto_version:uint16 = ConsensusConfig;
// consensus_config_v4#d9 flags:(## 6) { flags = 0 } use_quic:Bool new_catchain_ids:Bool
//   (as #d8, then) catchain_max_blocks_coeff:uint32 = ConsensusConfig;
import type { Decoded } from "../codec.js";
import { bool, uint, uint8, uint16, uint32 } from "../primitives.js";
import { choice, record } from "../record.js";

const lifetimes = {
  mcCatchainLifetime: uint32,
  shardCatchainLifetime: uint32,
  shardValidatorsLifetime: uint32,
  shardValidatorsNum: uint32,
};

/** ConfigParam 28. */
export type CatchainConfig = Decoded<typeof CatchainConfig>;
export const CatchainConfig = choice("CatchainConfig", {
  v1: record("catchain_config#c1", lifetimes),
  v2: record("catchain_config_new#c2", { flags: uint(7), shuffleMcValidators: bool, ...lifetimes }),
});

const limits = {
  nextCandidateDelayMs: uint32,
  consensusTimeoutMs: uint32,
  fastAttempts: uint32,
  attemptDuration: uint32,
  catchainMaxDeps: uint32,
  maxBlockBytes: uint32,
  maxCollatedBytes: uint32,
};
const flagged = { flags: uint(7), newCatchainIds: bool, roundCandidates: uint8, ...limits };

/** ConfigParam 29. */
export type ConsensusConfig = Decoded<typeof ConsensusConfig>;
export const ConsensusConfig = choice("ConsensusConfig", {
  v1: record("consensus_config#d6", { roundCandidates: uint32, ...limits }),
  v2: record("consensus_config_new#d7", flagged),
  v3: record("consensus_config_v3#d8", { ...flagged, protoVersion: uint16 }),
  v4: record("consensus_config_v4#d9", {
    flags: uint(6),
    useQuic: bool,
    newCatchainIds: bool,
    roundCandidates: uint8,
    ...limits,
    protoVersion: uint16,
    catchainMaxBlocksCoeff: uint32,
  }),
});
