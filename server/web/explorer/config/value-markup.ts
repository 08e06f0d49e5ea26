import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { count, ton } from "../parts/amount.js";
import { facts } from "../parts/facts.js";
import { hashText } from "../parts/hash.js";
import type { Names } from "../parts/names.js";
import { durationText, timeOf } from "../parts/time.js";
import type { Row, Value } from "./values.js";

/** Limit on the lines of a table: suspended accounts and validators can be hundreds. */
const shownLines = 500;

/** Rows of a parameter. `title` begins the titles of its tables. */
export function rowsMarkup(rows: readonly Row[], names: Names, title: string): Markup {
  const plain = rows.filter(([, { kind }]) => kind !== "table");
  return html`${plain.length > 0 && facts(plain.map(([label, value]) => [label, valueMarkup(value, names, `${title}: ${label}`)]))}
    ${rows.map(([label, value]) => value.kind === "table" && tableMarkup(`${title}: ${label}`, value, names))}`;
}

function valueMarkup(value: Value, names: Names, title: string): Markup {
  switch (value.kind) {
    case "text":
      return html`${value.text}`;
    case "count":
      return html`<span class="amount">${count(value.value)}${value.unit !== undefined && html` <span class="unit">${value.unit}</span>`}</span>`;
    case "coins":
      return ton(value.value);
    case "time":
      return timeOf(value.seconds);
    case "duration":
      return html`${durationText(value.seconds)}`;
    case "account":
      return addressLink(value.address, { names });
    case "hash":
      return hashText(value.hex);
    case "params":
      return html`${value.numbers.map((number) => html`<a href="#param${number}">${number}</a> `)}`;
    case "rows":
      return rowsMarkup(value.rows, names, title);
    case "table":
      return tableMarkup(title, value, names);
  }
}

function tableMarkup(
  label: string,
  { heads, lines }: Extract<Value, { kind: "table" }>,
  names: Names,
): Markup {
  if (lines.length === 0) return facts([[label, html`<span class="none">none</span>`]]);
  const rest = lines.length - shownLines;
  return html`<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="list">
    <thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
    <tbody>${lines.slice(0, shownLines).map((line) => html`<tr>${line.map((value) => html`<td>${valueMarkup(value, names, label)}</td>`)}</tr>`)}</tbody>
    </table></div>${rest > 0 && html`<p class="hint">And ${rest} more.</p>`}`;
}
