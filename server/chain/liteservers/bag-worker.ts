// Entry of the thread that parses the bags of cells of big answers.

import { buffersOf, type ParsedBag, parseBag } from "../../../shared/ton/cells/boc/parsed-bag.js";
import { Moved } from "../../os/channel/channel.js";
import { OwnThread } from "../../os/channel/thread.js";
import type { BagSide } from "./bag-thread.js";

const handlers: BagSide = {
  parse(bags) {
    const outcomes = bags.map(outcomeOf);
    const buffers = outcomes.flatMap((outcome) => (typeof outcome === "string" ? [] : buffersOf(outcome)));
    return new Moved(outcomes, buffers);
  },
};

/** The parsed bag, or the reason why it is invalid. */
function outcomeOf(bytes: Uint8Array): ParsedBag | string {
  try {
    return parseBag(bytes);
  } catch (error) {
    return (error as Error).message;
  }
}

new OwnThread({ handlers });
