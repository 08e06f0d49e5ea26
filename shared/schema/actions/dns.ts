import { z } from "zod";
import { account, integer, source, text } from "./fields.js";

const item = account("The DNS item.");
const collection = account("Its collection.");

const record = z.object({
  sum_type: text(
    "`DNSNextResolver`, `DNSAdnlAddress`, `DNSSmcAddress`, `DNSStorageAddress`, `DNSText` or `Unknown`.",
  ),
  dns_smc_address: account("A contract."),
  dns_adnl_address: text("An ADNL address, hex."),
  dns_text: text("A text."),
  dns_next_resolver_address: account("A resolver of subdomains."),
  dns_storage_address: text("A bag of TON Storage, hex. Has the text, too, if the record is one."),
  flags: integer("Flags of the record."),
});

export const dnsActions = {
  change_dns: z.object({
    key: text("Hash of the category, hex."),
    value: record.describe("The new record."),
    source,
    asset: item,
    nft_collection: collection,
  }),
  delete_dns: z.object({
    hash: text("Hash of the category, hex."),
    source,
    asset: item,
    nft_collection: collection,
  }),
  renew_dns: z.object({ source, asset: item, nft_collection: collection }),
};
