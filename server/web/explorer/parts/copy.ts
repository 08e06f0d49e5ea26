import { html, type Markup } from "../../pages/markup.js";

/** A button that copies a text. A listener of the whole page handles the click. */
export function copyButton(text: string, label = "Copy"): Markup {
  return html`<button type="button" class="copier" data-copy="${text}" aria-label="${label}" title="${label}"></button>`;
}
