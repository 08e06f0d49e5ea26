import type { ActionMembers } from "../../../../shared/actions/all.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { startOfDnsRecord } from "../../../../shared/ton/contracts/dns-record.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import { rowKind } from "../row-kind.js";

const changeRecord = 0x4eb1f0f9;
const bounced = 0xffffffff;

const changeDnsKind = rowKind("change_dns", { isLeaf: true });
const deleteDnsKind = rowKind("delete_dns", { isLeaf: true });
const renewDnsKind = rowKind("renew_dns", { isLeaf: true });

/** A request to set a record of a domain; without a value, to delete it; without a key, to keep the domain. */
export const dnsChange: Matcher = {
  name: "dns change",
  pattern: call(changeRecord).followedBy(call(bounced).optional().withoutExcess()),
  build: ({ anchor }, contracts) => {
    const { source, destination, isFailed } = anchor;
    const { key, rest } = fieldsOf("change_dns_start", anchor);
    const item = { source, asset: destination, nft_collection: contracts.nftItem(destination)?.collection };
    const hash = key.toString(16).padStart(64, "0");
    if (rest.refCount > 0)
      return changeDnsKind.build({ ...item, key: hash, ...readValue(rest.parse().loadRef()) }, { isFailed });
    return key === 0n
      ? renewDnsKind.build(item, { isFailed })
      : deleteDnsKind.build({ ...item, hash }, { isFailed });
  },
};

type RecordMembers = Pick<ActionMembers<"change_dns">, "value_schema" | "record_value" | "flags">;

/** Throws, which cancels the match, if the record is malformed. */
function readValue(cell: Cell): RecordMembers {
  const start = startOfDnsRecord(cell);
  if (!start) return { value_schema: "Unknown" };
  const { record, rest } = start;
  switch (record.kind) {
    case "text":
      return { value_schema: "DNSText", record_value: record.text.replaceAll("\0", "") };
    case "nextResolver":
      return { value_schema: "DNSNextResolver", record_value: record.address.toRawUpper() };
    case "smcAddress":
      return {
        value_schema: "DNSSmcAddress",
        record_value: record.address.toRawUpper(),
        flags: rest.loadUint(8),
      };
    case "adnlAddress":
      return { value_schema: "DNSAdnlAddress", record_value: bytesToHex(record.id), flags: rest.loadUint(8) };
    case "storageAddress":
      return { value_schema: "DNSStorageAddress", record_value: bytesToHex(record.id) };
  }
}
