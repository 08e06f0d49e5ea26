import { type BlockId, latestSeqno, masterchain } from "../../tlb/block-id.js";
import type { LiteMethod } from "../lite-methods.js";
import type { ShardPoint } from "./slices.js";

/** What a call needs of a server. */
export type Requirement = {
  /**
   * The masterchain block it refers to, where it names one; otherwise the newest data, as blocks of shards, logical
   * times and transactions do not say how old they are.
   */
  seqno: number | undefined;
  /** What it has to hold; nothing is said where all servers hold everything. */
  points: readonly ShardPoint[];
};

/** Fields of requests that may hold an id of a masterchain block. */
const idFields = ["id", "mcBlockId", "knownBlock", "targetBlock"] as const;

export function requiredSeqno(method: LiteMethod, request: object): number | undefined {
  const fields = request as Partial<Record<(typeof idFields)[number], BlockId>>;
  // The id of a lookup by time is not one of a block.
  if (method.startsWith("lookupBlock") && !(request as { bySeqno?: boolean }).bySeqno)
    return fields.mcBlockId?.seqno;
  const seqnos = idFields
    .map((name) => fields[name])
    .filter((id) => id?.workchain === masterchain && id.seqno !== latestSeqno)
    .map((id) => id!.seqno);
  return seqnos.length > 0 ? Math.max(...seqnos) : undefined;
}
