import { withoutBigint } from "../../../../client/call.js";
import { highlight, indent } from "../../pages/json-text.js";
import { html, type Markup } from "../../pages/markup.js";

/** Characters of a decoded body that are shown; the whole is in its cells. */
const maxLength = 20_000;

/** A decoded body, as JSON. */
export function decodedBody(decoded: object): Markup {
  // Text from the chain is escaped once more by JSON, so that characters without a shape are seen.
  const json = JSON.stringify(decoded, withoutBigint).replace(/[\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu, escaped);
  const text = indent(json);
  const shown = text.length <= maxLength ? highlight(text) : text.slice(0, maxLength);
  return html`<pre class="code" tabindex="0"><code>${shown}</code></pre>${text.length > maxLength && html`<p class="hint">Cut after ${maxLength} characters.</p>`}`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`).join("");
}
