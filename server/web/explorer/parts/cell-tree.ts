import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { html, type Markup } from "../../pages/markup.js";
import { bagOf, hashCell, hexOfBits, isOfProof } from "./cells.js";
import { copyButton } from "./copy.js";

/** Limit on the characters of a bag of cells drawn as a tree; a larger one can only be copied. */
const maxLength = 1_000_000;

/**
 * A bag of cells as a tree with hashes and BOCs to copy. Nodes are created when opened, so a large tree costs nothing
 * before.
 */
export function cellTree(boc: string, isOpen = true): HTMLElement {
  const place = document.createElement("div");
  place.className = "cells";
  if (boc.length > maxLength) {
    place.innerHTML =
      html`<p class="empty">Too large to draw: ${boc.length} characters of BOC. ${copyButton(boc, "Copy the BOC")}</p>`.text;
    return place;
  }
  try {
    place.append(branchOf(readBag(boc), "root", isOpen));
  } catch (error) {
    place.innerHTML = html`<p class="failure">${(error as Error).message}</p>`.text;
  }
  return place;
}

/** Draws the bags of cells of folds with `data-boc` below an element, when they are opened. */
export function growCells(root: Element): void {
  root.addEventListener(
    "toggle",
    (event) => {
      const opened = event.target as HTMLDetailsElement;
      const boc = opened.dataset["boc"];
      if (!opened.open || boc === undefined) return;
      delete opened.dataset["boc"];
      opened.append(cellTree(boc));
    },
    true,
  );
}

function branchOf(cell: PlainCell, label: string, isOpen = false): HTMLDetailsElement {
  const branch = document.createElement("details");
  branch.innerHTML = html`<summary><span class="cell-label">${label}</span> ${sizeOf(cell)}
    <code class="cell-start">${cell.bits === "" ? "empty" : hexOfBits(cell.bits).slice(0, 40)}</code></summary>`.text;
  const fill = () => {
    if (!branch.open) return;
    branch.removeEventListener("toggle", fill);
    branch.insertAdjacentHTML("beforeend", detailsOf(cell).text);
    const below = cell.refs.map((ref, index) => branchOf(ref, `ref ${index}`));
    branch.append(...below);
  };
  branch.addEventListener("toggle", fill);
  branch.open = isOpen;
  fill();
  return branch;
}

function sizeOf({ bits, refs, special }: PlainCell): Markup {
  const kind = special ? (isOfProof({ bits, refs, special }) ? "proof, " : "library, ") : "";
  const below = refs.length === 0 ? "" : `, ${refs.length} ${refs.length === 1 ? "ref" : "refs"}`;
  return html`<span class="aside">${kind}${bits.length} ${bits.length === 1 ? "bit" : "bits"}${below}</span>`;
}

function detailsOf(cell: PlainCell): Markup {
  const hash = hashCell(cell);
  const boc = bagOf(cell);
  const hex = hexOfBits(cell.bits);
  return html`<dl class="cell">
    ${cell.bits !== "" && html`<div><dt>Data</dt><dd><code>${hex}</code>${copyButton(hex, "Copy the data")}</dd></div>`}
    ${
      hash &&
      html`<div><dt>Hash</dt><dd><code>${bytesToHex(hash.hash)}</code>${copyButton(bytesToHex(hash.hash), "Copy the hash")}</dd></div>
      <div><dt>Depth</dt><dd>${hash.depth}</dd></div>`
    }
    ${boc !== undefined && html`<div><dt>BOC</dt><dd><code class="clip">${boc.slice(0, 120)}</code>${copyButton(boc, "Copy the BOC")}</dd></div>`}
  </dl>`;
}
