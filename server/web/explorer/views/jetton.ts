import { itemAt } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { html } from "../../pages/markup.js";
import { showPages } from "../history/pages.js";
import { addressLink } from "../parts/address.js";
import { facts } from "../parts/facts.js";
import { jettonAmount, tokenInfo, tokenName } from "../parts/tokens.js";
import { holderPages } from "../tokens/holders.js";
import { commonFacts, notFound, placeOf, tokenHead, tokenPage } from "../tokens/token-page.js";
import { jettonTransferPages } from "../tokens/transfers.js";
import type { View } from "../view.js";

/** A jetton: supply, who may mint, holders and transfers. */
export const showJetton: View = async (context) => {
  const { root, call, title, names } = context;
  const place = placeOf(context, "Jetton");
  if (!place) return;
  const { jetton_masters: found, metadata } = await call("v3.jetton.masters", {
    address: [place.raw],
  });
  if (found.length === 0) {
    root.innerHTML = notFound("jetton", place).text;
    return;
  }
  const master = itemAt(found, 0);
  const info = tokenInfo(metadata, master.address, "jetton_masters");
  const name = tokenName(info, "Jetton without a name");
  title(name);
  const page = tokenPage(html`${tokenHead(place, { crumb: "Jetton", name, symbol: info?.symbol, info })}
    ${facts([
      ["Supply", jettonAmount(master.total_supply, master.address, metadata)],
      ["Mintable", master.mintable ? "yes" : "no"],
      [
        "Admin",
        master.admin_address === null
          ? html`<span class="none">no admin</span>`
          : addressLink(master.admin_address, { names }),
      ],
      ...commonFacts(place, info, master.jetton_content),
    ])}
    <div class="halves">
      <section aria-labelledby="holders"><h2 id="holders">Holders</h2><div data-part="holders"></div></section>
      <section aria-labelledby="transfers"><h2 id="transfers">Transfers</h2><div data-part="transfers"></div></section>
    </div>`);
  const part = (each: string) => elementOf(page, `[data-part="${each}"]`);
  const supply = BigInt(master.total_supply);
  await Promise.all([
    showPages(context, part("holders"), holderPages(context, { master: place.raw, supply }), "More"),
    showPages(context, part("transfers"), jettonTransferPages(context, place.raw)),
  ]);
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};
