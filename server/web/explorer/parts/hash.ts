import { bytesToHex, readHash } from "../../../../shared/values/bytes.js";
import { html, type Markup } from "../../pages/markup.js";
import { copyButton } from "./copy.js";

/** A hash in hex, as in permalinks; `undefined` for invalid text. */
export function hexOf(text: string): string | undefined {
  const hash = readHash(text);
  return hash && bytesToHex(hash);
}

/** A shortened hash with a copy button; a link if there is a path. */
export function hashText(text: string, path?: (hex: string) => string): Markup {
  const hex = hexOf(text);
  if (hex === undefined) return html`<code>${text.slice(0, 80)}</code>`;
  const short = `${hex.slice(0, 8)}…${hex.slice(-4)}`;
  return html`<span class="hash">${
    path
      ? html`<a class="mono" href="${path(hex)}" title="${hex}">${short}</a>`
      : html`<code title="${hex}">${short}</code>`
  }${copyButton(hex, "Copy the hash")}</span>`;
}

export const transactionPath = (hex: string) => `/tx/${hex}`;
export const tracePath = (hex: string) => `/trace/${hex}`;
