import { unseen } from "../../../../shared/values/unseen.js";
import { highlight, indent } from "../../pages/json-text.js";
import { html, type Markup } from "../../pages/markup.js";

/** Limit on the characters shown of a record. */
const maxLength = 20_000;

/** A record of an answer as indented JSON, with unseen characters as escapes. */
export function record(value: unknown): Markup {
  const text = indent(JSON.stringify(value).replace(unseen, escaped));
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}\n…` : text;
  return html`<pre class="code" tabindex="0"><code>${highlight(shown)}</code></pre>`;
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
