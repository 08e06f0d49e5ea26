import type { AccountId } from "../../lite/lite-api.js";
import { accountPrefix, type BlockIdExt } from "../../tlb/block-id.js";
import type { ShardStateUnsplit } from "../../tlb/shard-state.js";

/** A block and the state after it. */
export type HeldState = { id: BlockIdExt; state: ShardStateUnsplit };

/** The states of all shards as of a masterchain block. */
export interface HeldStates {
  readonly masterchain: HeldState;
  /** The state of the shard that contains the prefix; `undefined` if there is no such workchain. */
  shard(workchain: number, prefix: bigint): HeldState | undefined;
}

/** States of a chain that this thread holds. Reading from them needs no proofs. */
export interface StateHolder {
  /** The states as of a masterchain block; `undefined` if this thread does not hold them. */
  at(block: BlockIdExt): HeldStates | undefined | Promise<HeldStates | undefined>;
}

export function shardOf(states: HeldStates, { workchain, id }: AccountId): HeldState | undefined {
  return states.shard(workchain, accountPrefix(id));
}
