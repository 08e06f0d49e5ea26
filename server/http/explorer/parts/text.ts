import { html, type Markup } from "../../pages/markup.js";

/** Characters that nobody sees, and those that turn the direction of what follows. */
const unseen = /[\p{Cf}\p{Co}\p{Cn}]|(?!\s)\p{Cc}/gu;
/** Marks upon one letter beyond the two that languages need: they would be drawn over the lines around. */
const stackedMarks = /(\p{M}{2})\p{M}+/gu;

/**
 * Text that somebody put on the chain: one line of at most `maxLength` characters, without those that would change how the
 * rest of the page reads.
 */
export function claimedText(text: string, maxLength = 80): string {
  // Cut first, so that the work does not grow with what is left out.
  const start = text.slice(0, maxLength * 4);
  const shown = [...start.replace(/\s+/gu, " ").replace(unseen, "\ufffd").replace(stackedMarks, "$1").trim()];
  const isWhole = start === text && shown.length <= maxLength;
  return isWhole ? shown.join("") : `${shown.slice(0, maxLength).join("")}…`;
}

/** The same as an element that keeps its direction to itself. */
export function claimed(text: string, maxLength?: number): Markup {
  return html`<bdi>${claimedText(text, maxLength)}</bdi>`;
}
