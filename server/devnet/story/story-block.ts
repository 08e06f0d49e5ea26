import type { Cell } from "../../../shared/ton/cells/cell.js";
import type { StateEdit } from "../collate/edits.js";

/**
 * One block of the story: the external messages to send before it is made, in order. A block with edits processes no
 * messages.
 */
export type StoryBlock = { title: string; messages: readonly Cell[]; edits?: readonly StateEdit[] };
