import { type Content, html, type Markup } from "../../pages/markup.js";

/** A list of names and values. Absent values are left out. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Markup {
  const known = entries.filter(([, value]) => value !== undefined && value !== false);
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
