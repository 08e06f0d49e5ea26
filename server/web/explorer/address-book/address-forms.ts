import { formatAddress } from "../../../../client/values/addresses.js";
import { elementOf } from "../../pages/element.js";
import { html, type Markup } from "../../pages/markup.js";
import { accountPath } from "../parts/address.js";
import { copyButton, shareButton } from "../parts/copy.js";

type Forms = { readonly friendly: string; readonly raw: string; readonly isActive: boolean };

/**
 * Other forms of an address, a link, a QR code and a button to share it. Call `growCode` to draw the code when it is
 * opened. An account without code would return a payment to a bounceable address.
 */
export function addressForms({ friendly, raw, isActive }: Forms): Markup {
  const plain = formatAddress(raw, { bounceable: false });
  const forms = [raw, plain, formatAddress(raw, { testOnly: true }), location.origin + accountPath(friendly)];
  return html`<details class="forms"><summary class="quiet-summary">raw, non-bounceable, for test networks, as a link</summary>
    <ul>${forms.map((form) => html`<li><span class="mono whole">${form}</span>${copyButton(form, "Copy this form")}</li>`)}</ul></details>
    <details class="forms" data-code="${isActive ? friendly : plain}"><summary class="quiet-summary">QR code for wallets</summary></details>
    <p class="page-tools">${shareButton(accountPath(friendly))}</p>`;
}

/** Loads and draws the QR code of an address when it is opened. */
export function growCode(root: ParentNode): void {
  const place = elementOf<HTMLDetailsElement>(root, "[data-code]");
  const address = place.dataset["code"] ?? "";
  place.addEventListener(
    "toggle",
    async () => {
      const drawn = await import("../qr/qr-code.js")
        .then(({ qrPicture }) => qrPicture(`ton://transfer/${address}`, `QR code of ${address}`))
        // The service may have been updated since the page was opened, and has other scripts then.
        .catch(() => html`<p class="failure">The script could not be loaded. Reload the page.</p>`);
      place.insertAdjacentHTML("beforeend", drawn.text);
    },
    { once: true },
  );
}
