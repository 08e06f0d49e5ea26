import { html, type Markup } from "../../pages/markup.js";

/** Characters that nobody sees, and those that turn the direction of what follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** Text that somebody put on the chain: cut, and without characters that would change how the rest of the page reads. */
export function claimedText(text: string, maxLength = 80): string {
  const shown = text.slice(0, maxLength * 2).replace(unseen, "\ufffd");
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}

/** The same as an element that keeps its direction to itself. */
export function claimed(text: string, maxLength?: number): Markup {
  return html`<bdi>${claimedText(text, maxLength)}</bdi>`;
}
