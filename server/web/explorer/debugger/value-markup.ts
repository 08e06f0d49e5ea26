import type { DebugValue } from "../../../../client/api.js";
import { html, type Markup } from "../../pages/markup.js";
import { integer } from "../get-methods/stack-values.js";
import { count } from "../parts/amount.js";
import { hashText, hexOf } from "../parts/hash.js";
import { claimed } from "../parts/text.js";

/** Limits of a shown value: items of each tuple, and nesting. */
const limits = { items: 100, depth: 8, text: 500 } as const;

/** Cells by hash in hex, as bags of cells. */
export type Cells = Readonly<Record<string, string>>;

/** A value of the machine. Call `growCells` on the place once, to draw its cells. */
export function valueMarkup(value: DebugValue, cells: Cells, depth = 0): Markup {
  const { type, items } = value;
  if (items) return tuple(type, items, cells, depth);
  if (value.hash !== undefined) return cell(value, cells);
  if (type === "null") return html`<span class="aside">null</span>`;
  if (type === "int" && /^-?\d{1,80}$/.test(value.value ?? "")) return integer(BigInt(value.value!));
  return html`<span class="aside">${type === "cont" ? "continuation" : ""}</span> <code>${claimed(value.value ?? value.text ?? "", limits.text)}</code>`;
}

function tuple(type: string, items: readonly DebugValue[], cells: Cells, depth: number): Markup {
  const head = html`${type} <span class="aside">of ${count(items.length)}${items.length > limits.items && `, the first ${limits.items}`}</span>`;
  if (depth >= limits.depth || items.length === 0) return head;
  const shown = items.slice(0, limits.items);
  return html`<details class="fold"${depth === 0 && items.length <= 8 && html` open`}><summary>${head}</summary><ol class="values">${shown.map((item) => html`<li>${valueMarkup(item, cells, depth + 1)}</li>`)}</ol></details>`;
}

function cell({ type, hash = "", bits = 0, refs = 0 }: DebugValue, cells: Cells): Markup {
  const boc = cells[hexOf(hash) ?? ""];
  const size = html`<span class="aside">${count(bits)} ${bits === 1 ? "bit" : "bits"}${refs > 0 && `, ${refs} ${refs === 1 ? "ref" : "refs"}`}</span>`;
  if (boc === undefined) return html`${type} ${size} ${hashText(hash)}`;
  return html`<details class="fold" data-boc="${boc}"><summary>${type} ${size}</summary></details>`;
}
