import type { Content } from "../../pages/markup.js";
import { addressLink } from "../parts/address.js";
import { optional } from "../parts/optional.js";
import { claimedText } from "../parts/text.js";
import { nftPath } from "../parts/tokens.js";
import type { ViewContext } from "../view.js";
import { readDomainFacts } from "./domain-facts.js";

type DomainItem = {
  /** The NFT that is the domain, or the domain above it. */
  readonly address: string;
  readonly facts: readonly (readonly [name: string, value: Content])[];
};

/** The item of a domain or, for a name below one, of the domain above, with owner and end; `undefined` if none is indexed. */
export async function readDomainItem(context: ViewContext, name: string): Promise<DomainItem | undefined> {
  if (!context.indexed) return undefined;
  const above = name.split(".").slice(-2).join(".");
  const record =
    (await recordOf(context, name)) ?? (above === name ? undefined : await recordOf(context, above));
  if (!record) return undefined;
  const { names } = context;
  const { nft_item_address: address, nft_item_owner: owner, domain } = record;
  return {
    address,
    facts: [
      ["Owner", addressLink(owner, { names })],
      ["NFT", addressLink(address, { text: claimedText(domain), path: nftPath })],
      ...(await readDomainFacts(context, address)),
    ],
  };
}

async function recordOf({ call }: ViewContext, domain: string) {
  return (await optional(call("v3.dns.records", { domain, limit: 1 })))?.records[0];
}
