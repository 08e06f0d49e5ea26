import type { Cell } from "../../cells/cell.js";

/** One block of the story: external messages to be sent before it is made, in this order. */
export type StoryBlock = { title: string; messages: readonly Cell[] };
