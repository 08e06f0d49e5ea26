// Entry of the thread that parses the bags of cells of big answers.

import { buffersOf, type ParsedBag, parseBag } from "../../../shared/ton/cells/parsed-bag.js";
import { ownPort } from "../../os/own-port.js";
import type { BagJob, BagJobResult } from "./bag-thread.js";

const port = ownPort();

port.on("message", ({ id, bags }: BagJob) => {
  const outcomes = bags.map(outcomeOf);
  const buffers = outcomes.flatMap((outcome) => (typeof outcome === "string" ? [] : buffersOf(outcome)));
  port.postMessage({ id, outcomes } satisfies BagJobResult, buffers);
});

/** The parsed bag, or the reason why it is invalid. */
function outcomeOf(bytes: Uint8Array): ParsedBag | string {
  try {
    return parseBag(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}
