import { type Content, html, type Markup } from "../../pages/markup.js";

/** A column: its head, and whether it has numbers, which end at the right. */
type Column = string | { readonly head: string; readonly isNumber: true };

export const numbers = (head: string): Column => ({ head, isNumber: true });

/** A table that scrolls within the page. The first cell of a line names it; a column without a head has marks. */
export function listTable(
  title: string,
  columns: readonly Column[],
  lines: readonly (readonly Content[])[],
): Markup {
  const end = (index: number) => typeof columns[index] === "object" && html` class="end"`;
  return html`<div class="scroll" role="region" aria-label="${title}" tabindex="0"><table class="list">
<thead><tr>${columns.map(headMarkup)}</tr></thead>
<tbody>${lines.map(
    (line) =>
      html`<tr>${line.map((cell, index) => (index === 0 ? html`<th scope="row"${end(0)}>${cell}</th>` : html`<td${end(index)}>${cell}</td>`))}</tr>`,
  )}</tbody></table></div>`;
}

function headMarkup(column: Column): Markup {
  if (column === "") return html`<td></td>`;
  if (typeof column === "string") return html`<th scope="col">${column}</th>`;
  return html`<th scope="col" class="end">${column.head}</th>`;
}
