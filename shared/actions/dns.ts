import { source } from "./common.js";
import { action } from "./declare.js";
import { account, calculated, integer, object, text, unsent } from "./member.js";

const item = account("The DNS item.").in("destination");
const collection = account("Its collection.").in("asset");
const key = text("Hash of the category, hex.");

const record = object("The new record.", {
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

type StoredRecord = {
  readonly value_schema?: string;
  readonly record_value?: string;
  readonly flags?: number;
};

/** The schema determines which member has the value. */
function recordOf({ value_schema: schema = "", record_value: value, flags }: StoredRecord) {
  const as = (...schemas: string[]) => (schemas.includes(schema) && value !== undefined ? value : null);
  return {
    sum_type: schema === "" ? null : schema,
    dns_smc_address: as("DNSSmcAddress"),
    dns_adnl_address: as("DNSAdnlAddress"),
    dns_text: as("DNSText"),
    dns_next_resolver_address: as("DNSNextResolver"),
    // TON Center puts texts here, and older clients read them here.
    dns_storage_address: as("DNSStorageAddress", "DNSText"),
    flags: flags ?? null,
  };
}

export const dnsActions = {
  change_dns: action([46, "v1", "change_dns_record_data"], {
    key,
    value: calculated(record, recordOf),
    source,
    asset: item,
    nft_collection: collection,
    value_schema: unsent<string>(".value_schema"),
    record_value: unsent<string>(".value").rare(),
    flags: unsent<number>(".flags").rare(),
  }),
  delete_dns: action([47, "v1", "change_dns_record_data"], {
    hash: key.in(".key"),
    source,
    asset: item,
    nft_collection: collection,
  }),
  renew_dns: action([48, "v1"], { source, asset: item, nft_collection: collection }),
};
