import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StateEdit } from "../collate/block/edits.js";

/**
 * One block of the story: the external messages to send before it is made, in order. A block with edits processes no
 * messages.
 */
export type StoryBlock = { title: string; messages: readonly Cell[]; edits?: readonly StateEdit[] };

/** One TON in nanotons. */
export const ton = 1_000_000_000n;
/** The start of the year 2100: deadlines in the story stay open regardless of a devnet's time. */
export const farFuture = 4_102_444_800;
