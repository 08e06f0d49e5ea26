import type { LiteMethod } from "../../../shared/ton/lite/lite-methods.js";
import { type BlockId, latestSeqno, masterchain } from "../../../shared/ton/tlb/block-id.js";
import type { ShardPoint } from "./network-slices.js";

/** Data that a server must have to answer a call. */
export type Requirement = {
  /**
   * The newest masterchain block in the request. Undefined means the newest data, because shard blocks, logical times
   * and transactions do not show their age.
   */
  seqno: number | undefined;
  /** Shards it must hold; empty if all servers hold everything. */
  points: readonly ShardPoint[];
};

/** Request fields that may hold a masterchain block id. */
const idFields = ["id", "mcBlockId", "knownBlock", "targetBlock"] as const;

export function requiredSeqno(method: LiteMethod, request: object): number | undefined {
  const fields = request as Partial<Record<(typeof idFields)[number], BlockId>>;
  // A lookup by time has an `id` without a seqno.
  if (method.startsWith("lookupBlock") && !(request as { bySeqno?: boolean }).bySeqno)
    return fields.mcBlockId?.seqno;
  const seqnos = idFields
    .map((name) => fields[name])
    .filter((id) => id?.workchain === masterchain && id.seqno !== latestSeqno)
    .map((id) => id!.seqno);
  return seqnos.length > 0 ? Math.max(...seqnos) : undefined;
}
