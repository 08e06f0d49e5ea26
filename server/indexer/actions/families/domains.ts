import { fieldsOf } from "../body.js";
import type { ContractLookups } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { anyCall, call } from "../pattern.js";
import { rowKind } from "../row-kind.js";
import type { AddressText } from "../trace.js";
import { isDomain } from "./self-sold-items.js";

const dnsPurchaseKind = rowKind("dns_purchase");

/** A domain sent the winning bid to its previous owner. */
export const dnsPurchase: Matcher = {
  name: "dns purchase",
  pattern: call(0x370fec51).precededBy(anyCall()),
  build: ({ anchor }, contracts) => {
    const domain = domainAt(anchor.source, contracts);
    if (!domain) return cancel("the sender is no known domain");
    const fields = fieldsOf("auction_fill_up", anchor);
    const purchase = {
      ...domain,
      new_owner: anchor.previous?.source,
      query_id: "query_id" in fields ? fields.query_id : undefined,
      price: anchor.value,
      payout_amount: anchor.value,
    };
    return dnsPurchaseKind.build(purchase, { isFailed: anchor.node.isAborted, from: [anchor] });
  },
};

const dnsReleaseKind = rowKind("dns_release");

/** The auction of a domain was reopened because its owner had not renewed it. */
export const dnsRelease: Matcher = {
  name: "dns release",
  pattern: call(0x4ed14b65),
  build: ({ anchor }, contracts) => {
    const domain = domainAt(anchor.destination, contracts);
    if (!domain) return cancel("the receiver is no known domain");
    const fields = fieldsOf("dns_balance_release_start", anchor);
    const release = {
      ...domain,
      source: anchor.source,
      value: anchor.value,
      query_id: "query_id" in fields ? fields.query_id : undefined,
    };
    return dnsReleaseKind.build(release, { isFailed: anchor.node.isAborted });
  },
};

function domainAt(address: AddressText | undefined, contracts: ContractLookups) {
  const item = contracts.nftItem(address);
  if (!item || !isDomain(item)) return undefined;
  return { nft_item: address, nft_collection: item.collection, nft_item_index: item.index };
}
