import { presentBlockId } from "../../../shared/ton/present/records.js";
import type { ForkStatus } from "../../devnet/fork/fork-status.js";

/** A fork in `devnet.info` and in `/status`. */
export function presentFork({ source, block, utime, isProven, origin }: ForkStatus) {
  const { requests, failures, cached, waiting, isFull, problem } = origin;
  return {
    ...{ source, block: presentBlockId(block), utime, proven: isProven },
    ...{ requests, failures, cached, waiting, cache_full: isFull },
    ...(problem !== undefined && { problem }),
  };
}
