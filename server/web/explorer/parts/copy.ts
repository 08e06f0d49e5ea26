import { copyText } from "../../pages/copy-text.js";
import { html, type Markup } from "../../pages/markup.js";

/** A button that copies a text. A listener of the whole page handles the click. */
export function copyButton(text: string, label = "Copy"): Markup {
  return html`<button type="button" class="copier" data-copy="${text}" aria-label="${label}" title="${label}"></button>`;
}

/** A button that shares a path of the explorer. A listener of the whole page handles the click. */
export function shareButton(path: string): Markup {
  return html`<button type="button" class="quiet" data-share="${path}">Share</button>`;
}

/** Offers the link by the system's means where there are any, and copies it otherwise. */
export async function shareLink(path: string, button: HTMLElement): Promise<void> {
  const url = location.origin + path;
  if (!navigator.share) return copyText(url, button);
  try {
    await navigator.share({ title: document.title, url });
  } catch (error) {
    const isCancelled = error instanceof DOMException && error.name === "AbortError";
    if (!isCancelled) await copyText(url, button);
  }
}
