import { BlockKind } from "../block-kind.js";
import { fieldsOf } from "../body.js";
import type { ContractLookups, NftItem } from "../contracts.js";
import { cancel, type Matcher } from "../matcher.js";
import { anyCall, call } from "../pattern.js";
import type { AddressText } from "../trace.js";
import { isDomain } from "./self-sold-items.js";

type Domain = { readonly address: AddressText; readonly item: NftItem };

type DomainPurchase = Domain & {
  readonly newOwner: AddressText | undefined;
  readonly queryId: bigint | undefined;
  readonly price: bigint | undefined;
};

const dnsPurchaseKind = new BlockKind("dns_purchase", {
  type: "dns_purchase",
  row: ({ address, item, newOwner, queryId, price }: DomainPurchase) => ({
    destination: newOwner,
    asset: item.collection,
    asset_secondary: address,
    nft_transfer_data: { query_id: queryId, price, payout_amount: price, nft_item_index: item.index },
  }),
});

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
      newOwner: anchor.previous?.source,
      queryId: "query_id" in fields ? fields.query_id : undefined,
      price: anchor.value,
    };
    return dnsPurchaseKind.build(purchase, { isFailed: anchor.node.isAborted, from: [anchor] });
  },
};

type DomainRelease = Domain & {
  readonly source: AddressText | undefined;
  readonly value: bigint | undefined;
  readonly queryId: bigint | undefined;
};

const dnsReleaseKind = new BlockKind("dns_release", {
  type: "dns_release",
  row: ({ address, item, source, value, queryId }: DomainRelease) => ({
    source,
    destination: address,
    asset: item.collection,
    asset_secondary: address,
    value,
    nft_transfer_data: { query_id: queryId, nft_item_index: item.index },
  }),
});

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
      queryId: "query_id" in fields ? fields.query_id : undefined,
    };
    return dnsReleaseKind.build(release, { isFailed: anchor.node.isAborted });
  },
};

function domainAt(address: AddressText | undefined, contracts: ContractLookups): Domain | undefined {
  const item = contracts.nftItem(address);
  return address !== undefined && item && isDomain(item) ? { address, item } : undefined;
}
