import { claimedText } from "../../../../shared/values/claimed-text.js";
import { html, type Markup } from "../../pages/markup.js";

export { claimedText };

/** A text by a user, in an element that isolates its direction. */
export function claimed(text: string, maxLength?: number): Markup {
  return html`<bdi>${claimedText(text, maxLength)}</bdi>`;
}
