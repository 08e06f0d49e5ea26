import { wholeShard } from "../../../../shared/ton/tlb/block-id.js";
import type { ShardDescr } from "../../../../shared/ton/tlb/shard-descr.js";

const constantFields = {
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

/** The basechain's entry in the masterchain: one shard, which is never split. */
export function basechainDescr(fields: Omit<ShardDescr, keyof typeof constantFields>): ShardDescr {
  return { ...constantFields, ...fields };
}
