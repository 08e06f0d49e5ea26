import type { DnsEntry } from "../../../../client/api.js";
import { isRpcError } from "../../../../client/errors.js";
import { readBag } from "../../../../client/values/bag-of-cells.js";
import { memberOf } from "../../../../shared/values/lookups.js";
import { elementOf } from "../../pages/element.js";
import { type Content, html } from "../../pages/markup.js";
import { actionPages } from "../history/actions.js";
import { showPages } from "../history/pages.js";
import { addressLink, friendlyOf } from "../parts/address.js";
import { hexOfBits } from "../parts/cells.js";
import { facts } from "../parts/facts.js";
import { sentenceOf } from "../parts/failure.js";
import type { Names } from "../parts/names.js";
import { claimed, claimedText } from "../parts/text.js";
import { readDomainItem } from "../tokens/domain-item.js";
import type { View } from "../view.js";

/** Configuration parameter with the address of the DNS root. */
const rootParam = 4;

const maxResolvers = 8;

/** A domain and its records, resolved from the root. */
export const showDomain: View = async (context) => {
  const { root, params, call, title, names } = context;
  const name = memberOf(params, "name").slice(0, 130);
  title(claimedText(name));
  const { config } = await call("getConfigParam", { param: rootParam });
  const address = friendlyOf(`-1:${hexOfBits(readBag(config.bytes).bits)}`);
  if (address === undefined) throw new Error("This network has no domains.");
  const answer = await call("dnsResolve", { address, name, ttl: maxResolvers }).catch((error: unknown) => {
    if (isRpcError(error) && (error.status === 404 || error.status === 409 || error.status === 422))
      return error;
    throw error;
  });
  const entries = "entries" in answer ? answer.entries : [];
  const item = await readDomainItem(context, name);
  const page = document.createElement("div");
  page.innerHTML = html`<p class="crumb">Domain</p><h1 tabindex="-1">${claimed(name, 130)}</h1>
    ${item && facts(item.facts)}
    ${
      entries.length > 0
        ? facts(entries.slice(0, 50).map((entry) => [titleOf(entry), recordOf(entry, names)]))
        : html`<p class="empty">${"message" in answer ? sentenceOf(answer, 300) : "This domain has no records."}</p>`
    }
    ${facts([["Root", addressLink(address, { names })]])}
    ${item && html`<section aria-labelledby="history"><h2 id="history">History</h2><div class="narrow" data-part="history"></div></section>`}`.text;
  if (item)
    await showPages(context, elementOf(page, "[data-part=history]"), actionPages(context, item.address, {}));
  // Appended as a whole, so that the layout does not shift.
  root.append(page);
};

const categories: Readonly<Record<string, string>> = {
  "dns.entryDataSmcAddress": "Wallet",
  "dns.entryDataNextResolver": "Next resolver",
  "dns.entryDataAdnlAddress": "Site",
  "dns.entryDataStorageAddress": "Storage",
  "dns.entryDataText": "Text",
};

const titleOf = ({ entry }: DnsEntry) => categories[entry["@type"]] ?? "Other record";

function recordOf({ entry }: DnsEntry, names: Names): Content {
  switch (entry["@type"]) {
    case "dns.entryDataSmcAddress":
      return addressLink(entry.smc_address.account_address, { names });
    case "dns.entryDataNextResolver":
      return addressLink(entry.resolver.account_address, { names });
    case "dns.entryDataAdnlAddress":
      return html`<code>${entry.adnl_address.adnl_address}.adnl</code>`;
    case "dns.entryDataStorageAddress":
      return html`<code>${entry.bag_id}</code>`;
    case "dns.entryDataText":
      return claimed(entry.text, 500);
    default:
      return html`<code class="clip">${entry.bytes}</code>`;
  }
}
