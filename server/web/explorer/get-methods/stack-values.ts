import { formatAddress } from "../../../../client/values/addresses.js";
import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { addressOf } from "../../../../client/values/cells.js";
import type { StackItem } from "../../../../client/values/stack.js";
import { Address } from "../../../../shared/values/address.js";
import { base64ToBytes, bytesToBase64, hexToBytes } from "../../../../shared/values/bytes.js";
import { itemAt } from "../../../../shared/values/lookups.js";
import { html, type Markup } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { cellTree } from "../parts/cell-tree.js";
import { bagOf, ifReadable } from "../parts/cells.js";
import { copyButton } from "../parts/copy.js";
import type { Names } from "../parts/names.js";
import { claimed } from "../parts/text.js";
import type { InputKind } from "./known-methods.js";

/** Parses typed text as a stack value of a get-method. Throws an error with a readable text. */
export function readInput(kind: InputKind, text: string): StackItem {
  const typed = text.trim();
  switch (kind) {
    case "int":
      if (!/^-?(\d{1,80}|0x[\da-f]{1,64})$/i.test(typed))
        throw new Error("a whole number, decimal or with 0x");
      return typed.startsWith("-") ? -BigInt(typed.slice(1)) : BigInt(typed);
    case "address":
      return { slice: addressBag(typed) };
    case "cell":
      return { cell: bagIn(typed) };
    case "slice":
      return { slice: bagIn(typed) };
    case "null":
      return null;
  }
}

/** A bag of cells in base64, converted from base64 or hex. */
function bagIn(text: string): string {
  const isHex = /^b5ee9c72[\da-f]*$/i.test(text);
  const bytes = isHex ? hexToBytes(text) : base64ToBytes(text);
  const boc = bytes && bytesToBase64(bytes);
  if (boc === undefined || !ifReadable(() => readBag(boc)))
    throw new Error("a bag of cells, in base64 or hex");
  return boc;
}

/** addr_std$10 anycast:nothing$0 workchain_id:int8 address:bits256 */
function addressBag(text: string): string {
  const parsed = Address.read(text);
  if (!parsed) throw new Error("an address, raw or friendly");
  const { workchain, hash } = parsed.address;
  const bytes = [workchain & 255, ...hash].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return bagOf({ bits: `100${bytes}`, refs: [], special: false })!;
}

/** Limit on the shown values of a tuple. */
const maxElements = 100;
const maxDepth = 8;

/** A value returned by a get-method. */
export function valueView(item: StackItem, names: Names, depth = 0): HTMLElement {
  const place = document.createElement("div");
  place.className = "value";
  if (typeof item === "bigint") place.innerHTML = integer(item).text;
  else if (item === null) place.innerHTML = html`<span class="aside">null</span>`.text;
  else if ("unsupported" in item)
    place.innerHTML = html`<span class="aside">a value that cannot be shown</span>`.text;
  else if (Array.isArray(item) || "list" in item) place.append(...elements(item, names, depth));
  else cellValue(place, item as { cell: string } | { slice: string } | { builder: string }, names);
  return place;
}

/** An integer with its hex form and a button that copies it. */
export function integer(value: bigint): Markup {
  const hex = (value < 0n ? -value : value).toString(16);
  return html`<span class="amount">${value > 10n ** 30n ? value.toString() : count(value)}</span>
    ${value > 9n || value < -9n ? html`<code class="aside">${value < 0n ? "-" : ""}0x${hex}</code>` : ""}${copyButton(value.toString(), "Copy the number")}`;
}

function elements(
  item: readonly StackItem[] | { readonly list: readonly StackItem[] },
  names: Names,
  depth: number,
) {
  const items = "list" in item ? item.list : item;
  const head = document.createElement("span");
  head.className = "aside";
  const kind = "list" in item ? "list" : "tuple";
  head.textContent = `${kind} of ${items.length}${items.length > maxElements ? `, the first ${maxElements}` : ""}`;
  const list = document.createElement("ol");
  list.className = "values";
  if (depth < maxDepth)
    for (const each of items.slice(0, maxElements)) {
      const place = document.createElement("li");
      place.append(valueView(each, names, depth + 1));
      list.append(place);
    }
  return [head, list];
}

function cellValue(
  place: HTMLElement,
  item: { cell: string } | { slice: string } | { builder: string },
  names: Names,
): void {
  const [kind, boc] = itemAt(Object.entries(item), 0) as [string, string];
  const address = kind === "builder" ? undefined : addressIn(item as { cell: string } | { slice: string });
  if (address !== undefined) {
    place.innerHTML = html`${addressLink(address, { names })}`.text;
    return;
  }
  const text = textIn(boc);
  place.innerHTML =
    html`<span class="aside">${kind}</span> ${text !== undefined && html`<q class="comment">${claimed(text, 500)}</q>`}`.text;
  place.append(cellTree(boc, false));
}

/** The address that fills a whole cell or slice; `undefined` for other content. */
function addressIn(item: { cell: string } | { slice: string }): string | undefined {
  return ifReadable(() => {
    const { bits, refs } = readBag(itemAt(Object.values(item), 0));
    if (refs.length > 0 || ![2, 267].includes(bits.length)) return undefined;
    const address = addressOf(item);
    return address === null ? "" : formatAddress(address);
  });
}

/** Limit on the cells of a text. */
const maxTextCells = 64;

/** The text in a cell, if it is printable UTF-8; may span several cells. */
function textIn(boc: string): string | undefined {
  return ifReadable(() => {
    const parts: string[] = [];
    let cell: PlainCell | undefined = readBag(boc);
    for (let many = 0; cell && many < maxTextCells; many++) {
      if (cell.bits.length % 8 !== 0 || cell.refs.length > 1) return undefined;
      parts.push(cell.bits);
      cell = cell.refs[0];
    }
    const bytes =
      parts
        .join("")
        .match(/.{8}/g)
        ?.map((bits) => Number.parseInt(bits, 2)) ?? [];
    // Skip the tag of off-chain content.
    const data = Uint8Array.from(bytes[0] === 1 || bytes[0] === 0 ? bytes.slice(1) : bytes);
    const text = new TextDecoder("utf-8", { fatal: true }).decode(data);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: texts have none
    return text.length >= 3 && !/[\u0000-\u0008\u000e-\u001f]/.test(text) ? text : undefined;
  });
}
