import { type Content, html, type Markup } from "../../pages/markup.js";

/** Names and values of one thing. Values that are absent have no line. */
export function facts(entries: readonly (readonly [name: string, value: Content])[]): Markup {
  const known = entries.filter(([, value]) => value !== undefined && value !== false);
  return html`<dl class="facts">${known.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
