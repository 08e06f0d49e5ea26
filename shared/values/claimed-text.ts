import { unseen } from "./unseen.js";

/** It makes an emoji of the character before it, as in "❤️". */
const emojiForm = "\ufe0f";
/** Combining marks beyond the two per letter that languages need; more would overlap adjacent lines. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/**
 * User-supplied text from the chain: one line of at most `maxLength` characters, without those that would change how
 * the rest of the page reads.
 */
export function claimedText(text: string, maxLength = 80): string {
  // Cut first, so that a long text costs no more.
  const start = text.slice(0, maxLength * 4);
  const line = start.replace(/\s+/gu, " ").replace(unseen, (each) => (each === emojiForm ? each : "\ufffd"));
  const shown = [...line.replace(stackedMarks, "$1").trim()];
  const isWhole = start === text && shown.length <= maxLength;
  return isWhole ? shown.join("") : `${shown.slice(0, maxLength).join("")}…`;
}
