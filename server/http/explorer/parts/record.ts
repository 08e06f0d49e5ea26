import { highlight, indent } from "../../pages/json-text.js";
import { html, type Markup } from "../../pages/markup.js";

/** Characters of a record that are shown. */
const maxLength = 20_000;

/** A record of an answer as it is. */
export function record(value: unknown): Markup {
  const text = indent(JSON.stringify(value));
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}\n…` : text;
  return html`<pre class="code" tabindex="0"><code>${highlight(shown)}</code></pre>`;
}
