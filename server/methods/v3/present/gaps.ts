import type { Gaps } from "../../../store/queries/index-gaps.js";

/** The gaps of the index, as `/status` and `masterchainInfo` tell of them. */
export function presentGaps({ count, blocks, newest }: Gaps) {
  return { count, blocks, ranges: newest.map(({ from, to }) => ({ from, to })) };
}
