import type { Gaps } from "../../store/queries/upkeep/index-gaps.js";

/** The gaps of the index, for `/status` and `masterchainInfo`. */
export function presentGaps({ count, blocks, newest }: Gaps) {
  return { count, blocks, ranges: newest.map(({ from, to }) => ({ from, to })) };
}
