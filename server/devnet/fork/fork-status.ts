import type { BlockIdExt } from "../../../shared/ton/tlb/block-id.js";
import type { ForkOrigin, OriginStatus } from "./origin.js";

/** Facts about a fork, as plain data. */
export type ForkStatus = {
  /** Name of the network, or host of the service. */
  source: string;
  block: BlockIdExt;
  /** Unix time of the block. */
  utime: number;
  /** Logical time at the end of the block. */
  lt: bigint;
  isProven: boolean;
  globalId: number;
  origin: OriginStatus;
};

/** The facts at this moment: counters go on, and the origin may be exchanged. */
export function forkStatus(origin: Pick<ForkOrigin, "start" | "status">): ForkStatus {
  const { source, block, utime, lt, isProven, globalId } = origin.start;
  return { source, block, utime, lt, isProven, globalId, origin: origin.status() };
}
