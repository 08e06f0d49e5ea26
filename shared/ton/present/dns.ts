import type { ResultOf } from "../../methods/define.js";
import type { dnsMethods } from "../../methods/v2/dns.js";
import { bytesToBase64, bytesToHex } from "../../values/bytes.js";
import { crc16 } from "../../values/crc16.js";
import type { DnsEntry } from "../contracts/dns.js";
import { presentAccount, presentBoc } from "./records.js";

type Resolved = ResultOf<typeof dnsMethods.dnsResolve>;
type EntryRecord = Resolved["entries"][number];

export function presentResolved(entries: readonly DnsEntry[]): Resolved {
  return { "@type": "dns.resolved", entries: entries.map(presentDnsEntry) };
}

function presentDnsEntry(found: DnsEntry): EntryRecord {
  const { name, category } = found;
  return { "@type": "dns.entry", name, category: bytesToBase64(category), entry: presentEntryData(found) };
}

function presentEntryData({ record, cell }: DnsEntry): EntryRecord["entry"] {
  switch (record?.kind) {
    case "text":
      return { "@type": "dns.entryDataText", text: record.text };
    case "nextResolver":
      return { "@type": "dns.entryDataNextResolver", resolver: presentAccount(record.address) };
    case "smcAddress":
      return { "@type": "dns.entryDataSmcAddress", smc_address: presentAccount(record.address) };
    case "adnlAddress":
      return {
        "@type": "dns.entryDataAdnlAddress",
        adnl_address: { "@type": "adnlAddress", adnl_address: adnlText(record.id) },
      };
    case "storageAddress":
      return { "@type": "dns.entryDataStorageAddress", bag_id: bytesToHex(record.id) };
    case undefined:
      return { "@type": "dns.entryDataUnknown", bytes: presentBoc(cell) };
  }
}

const digits = "abcdefghijklmnopqrstuvwxyz234567";

/** A tag, the id and their checksum in base32, without the constant first digit. */
function adnlText(id: Uint8Array): string {
  const bytes = new Uint8Array(35);
  bytes[0] = 0x2d;
  bytes.set(id, 1);
  new DataView(bytes.buffer).setUint16(33, crc16(bytes.subarray(0, 33)));
  let value = BigInt(`0x${bytesToHex(bytes)}`);
  let text = "";
  for (let digit = 0; digit < 55; digit++, value >>= 5n) text = digits[Number(value & 31n)] + text;
  return text;
}
