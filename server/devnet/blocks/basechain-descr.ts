import { wholeShard } from "../../tlb/block-id.js";
import type { ShardDescr } from "../../tlb/shard-descr.js";

const neverChanging = {
  kind: "v2",
  beforeSplit: false,
  beforeMerge: false,
  wantSplit: false,
  wantMerge: false,
  nxCcUpdated: false,
  flags: 0,
  nextValidatorShard: wholeShard,
  splitMergeAt: { kind: "none" },
} as const;

/** The basechain as the masterchain lists it: one shard, which is never split. */
export function basechainDescr(changing: Omit<ShardDescr, keyof typeof neverChanging>): ShardDescr {
  return { ...neverChanging, ...changing };
}
