import type { ActionDetails } from "../../../../../shared/schema/v3-actions.js";
import { type Phrase, quote, type Sentences, say, ton, when, who } from "../phrase.js";

const domain = (address: string | null) => who(address, "a domain");

function record({ value }: ActionDetails["change_dns"]): Phrase | undefined {
  const account = value.dns_smc_address ?? value.dns_next_resolver_address;
  if (account) return say` to ${who(account)}`;
  return when(
    value.dns_adnl_address ?? value.dns_text ?? value.dns_storage_address,
    (text) => say` to ${quote(text)}`,
  );
}

/** Descriptions of record kinds. */
const kinds: Readonly<Record<string, string>> = {
  DNSNextResolver: "the resolver of subdomains",
  DNSAdnlAddress: "the ADNL address",
  DNSSmcAddress: "the account",
  DNSStorageAddress: "the storage",
  DNSText: "the text",
};

export const dnsSentences = {
  change_dns: (details) =>
    say`${who(details.source)} set ${kinds[details.value.sum_type ?? ""] ?? "a record"} of ${domain(details.asset)}${record(details)}`,
  delete_dns: ({ source, asset }) => say`${who(source)} deleted a record of ${domain(asset)}`,
  renew_dns: ({ source, asset }) => say`${who(source)} renewed ${domain(asset)}`,
  dns_purchase: ({ new_owner, nft_item, price }) =>
    say`${who(new_owner)} bought ${domain(nft_item)}${when(price, (nanotons) => say` for ${ton(nanotons)}`)}`,
  dns_release: ({ source, nft_item, value }) =>
    say`${who(source)} put ${domain(nft_item)} up for auction again, as it had expired${when(value, (bid) => say`, with a first bid of ${ton(bid)}`)}`,
} satisfies Partial<Sentences>;
