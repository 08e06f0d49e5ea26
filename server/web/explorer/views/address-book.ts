import { memberOf } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { accountPath, friendlyOf } from "../parts/address.js";
import { count } from "../parts/amount.js";
import { copyButton } from "../parts/copy.js";
import { downloadFile } from "../parts/download.js";
import type { View } from "../view.js";

/** The names that the user gave to addresses. */
export const showAddressBook: View = async ({ root, title, own, network }) => {
  title("Address book");
  root.innerHTML = html`<h1 tabindex="-1">Address book</h1>
    <p class="hint">Your names of addresses of the ${network}. They are kept in this browser only, and are marked with a star wherever they are shown. An account's page has a button to name it.</p>
    <div class="actions"><button type="button" data-export>Save as a file</button>
      <label class="button">Add those of a file<input type="file" accept="application/json,.json" class="off-screen"></label></div>
    <p role="status" class="import-answer"></p><div data-part="names"></div>`.text;
  const place = elementOf(root, "[data-part=names]");
  const answer = elementOf(root, ".import-answer");
  const show = () => {
    const names = own.all();
    elementOf(root, "[data-export]").hidden = names.length === 0;
    place.innerHTML = (
      names.length === 0
        ? html`<p class="empty">There are no names yet.</p>`
        : html`<ul class="own-names">${names.map(([address, name]) => row(address, name))}</ul>`
    ).text;
  };
  show();
  elementOf(root, "[data-export]").addEventListener("click", () =>
    downloadFile(`address-book-${network}.json`, new Blob([own.exportFile()], { type: "application/json" })),
  );
  place.addEventListener("click", ({ target }) => {
    const button = (target as Element).closest<HTMLElement>("[data-remove]");
    if (!button) return;
    answer.textContent = own.set(memberOf(button.dataset, "remove"), "") ?? "";
    show();
  });
  const file = elementOf<HTMLInputElement>(root, "input");
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    try {
      const { taken, skipped } = own.importFile(await readStart(chosen));
      const added = `${count(taken)} ${taken === 1 ? "name" : "names"} added`;
      answer.textContent = skipped > 0 ? `${added}, ${count(skipped)} entries skipped.` : `${added}.`;
    } catch (error) {
      answer.textContent = (error as Error).message;
    }
    file.value = "";
    show();
  });
};

/** A file that is longer is refused by its length. */
const readStart = (file: File) => file.slice(0, 4_000_001).text();

function row(address: string, name: string): Markup {
  const friendly = friendlyOf(address) ?? address;
  return html`<li><a class="named own" href="${accountPath(friendly)}"><bdi>${name}</bdi></a>
    <span class="address"><span class="mono whole">${friendly}</span>${copyButton(friendly, "Copy the address")}</span>
    <button type="button" class="quiet" data-remove="${address}" aria-label="Remove ${name}">Remove</button></li>`;
}
