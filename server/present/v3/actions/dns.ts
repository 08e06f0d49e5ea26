import { nullable, type Presenters, type StoredAction } from "./stored-action.js";

export const dnsPresenters: Presenters<"change_dns" | "delete_dns" | "renew_dns"> = {
  change_dns: ({ change_dns_record_data: { key, ...record }, ...row }) => ({
    ...nullable({ key, ...item(row) }),
    value: recordOf(record),
  }),
  delete_dns: ({ change_dns_record_data: { key }, ...row }) => nullable({ hash: key, ...item(row) }),
  renew_dns: (row) => nullable(item(row)),
};

function item({ source, destination, asset }: Omit<StoredAction<"renew_dns">, never>) {
  return { source, asset: destination, nft_collection: asset };
}

type StoredRecord = Omit<StoredAction<"change_dns">["change_dns_record_data"], "key">;

/** The schema determines which member has the value. */
function recordOf({ value_schema: schema, value, flags }: StoredRecord) {
  const as = (...schemas: string[]) => (schema !== undefined && schemas.includes(schema) ? value : undefined);
  return nullable({
    sum_type: schema,
    dns_smc_address: as("DNSSmcAddress"),
    dns_adnl_address: as("DNSAdnlAddress"),
    dns_text: as("DNSText"),
    dns_next_resolver_address: as("DNSNextResolver"),
    // TON Center puts texts here, and older clients read them here.
    dns_storage_address: as("DNSStorageAddress", "DNSText"),
    flags,
  });
}
