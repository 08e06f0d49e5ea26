import type { Address } from "../../values/address.js";
import { bytesToHex, joinBytes } from "../../values/bytes.js";
import type { Cell } from "../cells/cell.js";
import { CellError } from "../cells/cell-error.js";
import { bytesKey, cellRef, Dictionary } from "../cells/dictionaries/dictionary.js";
import { sha256 } from "../cells/sha256.js";
import type { Slice } from "../cells/slice.js";
import { ifReadable } from "../tlb/readable.js";
import { loadStandardAddress } from "./get-method.js";

/** A record of a domain name (TEP-81). Flags and lists behind an address are ignored. */
export type DnsRecord = { kind: "text"; text: string } | DnsReference;
export type DnsReference =
  | { kind: "nextResolver" | "smcAddress"; address: Address }
  | { kind: "adnlAddress" | "storageAddress"; id: Uint8Array };

/** Dictionary key of a category: the SHA-256 of its name, 32 bytes. */
export function categoryKey(name: string): Uint8Array {
  return sha256(name);
}

export const nextResolverCategory = categoryKey("dns_next_resolver");

const names = new Map(
  ["wallet", "site", "storage", "dns_next_resolver"].map((name) => [bytesToHex(categoryKey(name)), name]),
);

/** Name of a standard category; `undefined` for other keys. */
export function categoryName(key: Uint8Array): string | undefined {
  return names.get(bytesToHex(key));
}

/** Limit of the leaves read: a dictionary can expand without bound by sharing branches. */
const maxRecords = 256;

/** The records among the first 256 leaves: leaves that are a single reference. */
export function recordsAmong(leaves: Iterable<{ key: Uint8Array; leaf: Slice }>): [Uint8Array, Cell][] {
  const records: [Uint8Array, Cell][] = [];
  let left = maxRecords;
  for (const { key, leaf } of leaves) {
    if (leaf.remainingBits === 0 && leaf.remainingRefs === 1)
      records.push([key.slice(0, 32), leaf.preloadRef()]);
    if (--left === 0) break;
  }
  return records;
}

/** Records of a name from the root of its `HashmapE 256 ^DNSRecord`, at most 256. Throws a CellError if it is malformed. */
export function recordsOf(root: Cell): [category: Uint8Array, record: Cell][] {
  const records: [Uint8Array, Cell][] = [];
  for (const entry of Dictionary.loadDirect(root, bytesKey(32), cellRef).entries()) {
    if (records.length === maxRecords) break;
    records.push(entry);
  }
  return records;
}

/**
 *     dns_text#1eda _:Text = DNSRecord;
 *     dns_next_resolver#ba93 resolver:MsgAddressInt = DNSRecord;
 *     dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8) … = DNSRecord;
 *     dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8) … = DNSRecord;
 *     dns_storage_address#7473 bag_id:bits256 = DNSRecord;
 *
 * `undefined` for other records and malformed ones.
 */
export function readDnsRecord(cell: Cell): DnsRecord | undefined {
  return ifWellFormed(() => startOfDnsRecord(cell)?.record);
}

/**
 * A record and the data after it, such as the flags of an address; `undefined` for other records. Throws for malformed
 * ones.
 */
export function startOfDnsRecord(cell: Cell): { record: DnsRecord; rest: Slice } | undefined {
  const rest = cell.parse();
  const read = readers.get(rest.loadUint(16));
  const record = read?.(rest);
  if (read && !record) throw new CellError("invalid", "a record has no address");
  return record && { record, rest };
}

/** The record of a category in the root of a `HashmapE 256 ^DNSRecord`; `undefined` if it is absent or malformed. */
export function recordIn(root: Cell, category: string): DnsRecord | undefined {
  const cell = ifWellFormed(() =>
    Dictionary.loadDirect(root, bytesKey(32), cellRef).get(categoryKey(category)),
  );
  return cell && readDnsRecord(cell);
}

function ifWellFormed<T>(read: () => T | undefined): T | undefined {
  return ifReadable(() => read());
}

const readers: ReadonlyMap<number, (slice: Slice) => DnsRecord | undefined> = new Map([
  [0x1eda, (slice) => ({ kind: "text", text: new TextDecoder().decode(readText(slice)) })],
  [0xba93, (slice) => addressRecord("nextResolver", slice)],
  [0x9fd3, (slice) => addressRecord("smcAddress", slice)],
  [0xad01, (slice) => ({ kind: "adnlAddress", id: slice.loadBytes(32) })],
  [0x7473, (slice) => ({ kind: "storageAddress", id: slice.loadBytes(32) })],
]);

function addressRecord(kind: "nextResolver" | "smcAddress", slice: Slice): DnsRecord | undefined {
  const address = loadStandardAddress(slice);
  return address && { kind, address };
}

/**
 *     text$_ chunks:(## 8) rest:(TextChunks chunks) = Text;
 *     text_chunk$_ {n:#} len:(## 8) data:(bits (len * 8)) next:(TextChunkRef n) = TextChunks (n + 1);
 *     chunk_ref$_ {n:#} ref:^(TextChunks (n + 1)) = TextChunkRef (n + 1);
 */
function readText(start: Slice): Uint8Array {
  const parts: Uint8Array[] = [];
  let slice = start;
  for (let left = start.loadUint(8); left > 0; left--) {
    parts.push(slice.loadBytes(slice.loadUint(8)));
    if (left > 1) slice = slice.loadRef().parse();
  }
  return joinBytes(parts);
}
