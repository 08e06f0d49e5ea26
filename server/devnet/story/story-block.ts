import type { Cell } from "../../cells/cell.js";

/** One block of the story: the external messages to send before it is made, in order. */
export type StoryBlock = { title: string; messages: readonly Cell[] };
