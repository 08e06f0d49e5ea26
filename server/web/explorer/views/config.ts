import { type PlainCell, readBag } from "../../../../client/values/bag-of-cells.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { changePages } from "../config/changes.js";
import { parameterName, readConfiguration, readParameter } from "../config/parameters.js";
import { rowsMarkup } from "../config/value-markup.js";
import { showPages } from "../history/pages.js";
import { blockLink, masterchainShard } from "../parts/block-id.js";
import { cellTree } from "../parts/cell-tree.js";
import { bagOf, hashCell } from "../parts/cells.js";
import { claim } from "../parts/claim.js";
import type { Names } from "../parts/names.js";
import type { View } from "../view.js";

/** The configuration of the network in words, and its history. */
export const showConfig: View = async (context) => {
  const { root, title, call, names } = context;
  title("Configuration");
  // Read at a block, so that a proof at the same block has the same values.
  const { seqno } = (await call("getMasterchainInfo")).last;
  const { config } = await call("getConfigAll", { seqno });
  const cells = readConfiguration(readBag(config.bytes));
  const page = document.createElement("div");
  page.innerHTML = html`<h1 tabindex="-1">Configuration</h1>
    <p class="hint">${claim(["config", seqno], { count: cells.size }, html`${cells.size} parameters`)}, which validators change by votes and elections. At block ${blockLink({ workchain: -1, shard: masterchainShard, seqno })}.</p>
    <nav aria-label="Parameters"><ul class="numbers">${[...cells.keys()].map((number) => html`<li><a href="#param${number}">${number}</a></li>`)}</ul></nav>
    ${[...cells].map(([number, cell]) => section({ number, cell, seqno }, names))}
    <section aria-labelledby="changes"><h2 id="changes">Changes</h2>
      <p class="hint">Every key block with the parameters that it has changed, newest first.</p>
      <div data-part="changes"><button type="button">Read the changes</button></div></section>`.text;
  for (const place of page.querySelectorAll<HTMLDetailsElement>("[data-param]"))
    growTree(place, cells.get(Number(place.dataset["param"])));
  const changes = elementOf(page, "[data-part=changes]");
  elementOf(changes, "button").addEventListener(
    "click",
    () => void showPages(context, changes, changePages(context)),
  );
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

type Parameter = { readonly number: number; readonly cell: PlainCell; readonly seqno: number };

function section({ number, cell, seqno }: Parameter, names: Names): Markup {
  const rows = readParameter(number, cell);
  const hashed = hashCell(cell);
  return html`<section class="param" aria-labelledby="param${number}"><h2><span id="param${number}"><a href="#param${number}">${number}</a> ${parameterName(number) ?? "Unknown parameter"}</span>${hashed && claim(["config", seqno], { [`parameter ${number}`]: bytesToHex(hashed.hash) })}</h2>
    ${rows ? rowsMarkup(rows, names, String(number)) : html`<p class="hint">Its form is not known: it is shown as cells.</p>`}
    <details class="fold" data-param="${number}"${!rows && html` open`}><summary>Cells</summary></details></section>`;
}

/** Builds the tree of a parameter's cells when it is opened. */
function growTree(place: HTMLDetailsElement, cell: PlainCell | undefined): void {
  const boc = cell && bagOf(cell);
  if (boc === undefined) return;
  const grow = () => {
    if (!place.open || place.childElementCount > 1) return;
    place.append(cellTree(boc, false));
  };
  place.addEventListener("toggle", grow);
  grow();
}
