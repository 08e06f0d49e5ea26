import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { startOfDnsRecord } from "../../../../shared/ton/contracts/dns-record.js";
import { bytesToHex } from "../../../../shared/values/bytes.js";
import { BlockKind } from "../block-kind.js";
import { fieldsOf } from "../body.js";
import type { Matcher } from "../matcher.js";
import { call } from "../pattern.js";
import type { AddressText } from "../trace.js";

const changeRecord = 0x4eb1f0f9;
const bounced = 0xffffffff;

type RecordRequest = {
  readonly source: AddressText | undefined;
  readonly destination: AddressText | undefined;
  readonly collection: AddressText | undefined;
  readonly key: bigint;
};

type RecordValue = {
  readonly value_schema: string;
  readonly value?: string;
  readonly flags?: number;
};

const columnsOf = ({ source, destination, collection }: RecordRequest) => ({
  source,
  destination,
  asset: collection,
});

/** Hex. */
function keyText({ key }: RecordRequest): string {
  return key.toString(16).padStart(64, "0");
}

const changeDnsKind = new BlockKind("change_dns", {
  type: "change_dns",
  isLeaf: true,
  row: ({ value, ...request }: RecordRequest & { value: RecordValue }) => ({
    ...columnsOf(request),
    change_dns_record_data: { key: keyText(request), ...value },
  }),
});

const deleteDnsKind = new BlockKind("delete_dns", {
  type: "delete_dns",
  isLeaf: true,
  row: (request: RecordRequest) => ({
    ...columnsOf(request),
    change_dns_record_data: { key: keyText(request) },
  }),
});

const renewDnsKind = new BlockKind("renew_dns", { type: "renew_dns", isLeaf: true, row: columnsOf });

/** A request to set a record of a domain; without a value, to delete it; without a key, to keep the domain. */
export const dnsChange: Matcher = {
  name: "dns change",
  pattern: call(changeRecord).followedBy(call(bounced).optional().withoutExcess()),
  build: ({ anchor }, contracts) => {
    const { source, destination, isFailed } = anchor;
    const { key, rest } = fieldsOf("change_dns_start", anchor);
    const request = {
      source,
      destination,
      collection: contracts.nftItem(destination)?.collection,
      key,
    };
    if (rest.refCount > 0)
      return changeDnsKind.build({ ...request, value: readValue(rest.parse().loadRef()) }, { isFailed });
    const kind = key === 0n ? renewDnsKind : deleteDnsKind;
    return kind.build(request, { isFailed });
  },
};

/** Throws, which cancels the match, if the record is malformed. */
function readValue(cell: Cell): RecordValue {
  const start = startOfDnsRecord(cell);
  if (!start) return { value_schema: "Unknown" };
  const { record, rest } = start;
  switch (record.kind) {
    case "text":
      return { value_schema: "DNSText", value: record.text.replaceAll("\0", "") };
    case "nextResolver":
      return { value_schema: "DNSNextResolver", value: record.address.toRawUpper() };
    case "smcAddress":
      return { value_schema: "DNSSmcAddress", value: record.address.toRawUpper(), flags: rest.loadUint(8) };
    case "adnlAddress":
      return { value_schema: "DNSAdnlAddress", value: bytesToHex(record.id), flags: rest.loadUint(8) };
    case "storageAddress":
      return { value_schema: "DNSStorageAddress", value: bytesToHex(record.id) };
  }
}
