import { Fault, input } from "../input.js";
import { longest, matching } from "../patterns.js";
import { readStorableText } from "./params.js";

/** A text to search for, without spaces around it. */
export const searchText = input<string, string>(
  matching("\\s*[^\\u0000\\s][^\\u0000]*", longest.short),
  (given) => {
    const text = readStorableText(given);
    if (text instanceof Fault) return text;
    return text.trim() === "" ? new Fault("range", (name) => `${name} is empty`) : text.trim();
  },
);
