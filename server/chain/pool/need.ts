import { type BlockId, latestSeqno, masterchain } from "../block-id.js";
import type { LiteMethod } from "./lite-methods.js";

/**
 * What a call needs of a server: the masterchain block it refers to, where it names one; otherwise the newest data,
 * as blocks of shards, logical times and transactions do not say how old they are.
 */
export type Need = { seqno: number | undefined };

/** Fields of requests that may hold an id of a masterchain block. */
const idFields = ["id", "mcBlockId", "knownBlock", "targetBlock"] as const;

export function needOf(method: LiteMethod, request: object): Need {
  const fields = request as Partial<Record<(typeof idFields)[number], BlockId>>;
  // The id of a lookup by time is not one of a block.
  if (method.startsWith("lookupBlock") && !(request as { bySeqno?: boolean }).bySeqno)
    return { seqno: fields.mcBlockId?.seqno };
  const seqnos = idFields
    .map((name) => fields[name])
    .filter((id) => id?.workchain === masterchain && id.seqno !== latestSeqno)
    .map((id) => id!.seqno);
  return { seqno: seqnos.length > 0 ? Math.max(...seqnos) : undefined };
}
