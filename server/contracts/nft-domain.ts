import type { Address } from "../../shared/values/address.js";
import { bytesToHex } from "../../shared/values/bytes.js";
import { beginCell } from "../cells/builder.js";
import { categoryName, type DnsReference, readDnsRecord, recordsOf } from "./dns-record.js";
import { Answer, type GetMethods, ifSuch, UnexpectedAnswer } from "./get-method.js";
import { type NftItem, readNftItem } from "./nft.js";

/** An item that is a domain name. `records` are keyed by the name of their category, or its key in hex if it has none. */
export type ItemDomain = { name: string; records: Readonly<Record<string, DnsReference>> };

/** An item, and its domain if it is a domain name. Throws UnexpectedAnswer if it is no item. */
export async function readNamedItem(
  methods: GetMethods,
  address: Address,
): Promise<NftItem & { domain: ItemDomain | undefined }> {
  const item = await readNftItem(methods, address);
  return { ...item, domain: item.collection && (await ifSuch(readItemDomain(methods, address))) };
}

/** Reads the records of an item by asking it to resolve its own name, which is encoded as one zero byte. */
export async function readItemDomain(methods: GetMethods, item: Address): Promise<ItemDomain> {
  const self = { type: "slice", cell: beginCell().storeUint(0, 8).endCell() } as const;
  const answer = await Answer.of(methods, item, "dnsresolve", [self, { type: "int", value: 0n }]);
  if (answer.size !== 2) throw new UnexpectedAnswer("dnsresolve does not return two values");
  const records: Record<string, DnsReference> = {};
  for (const [category, cell] of recordsOf(answer.cell(1))) {
    const record = readDnsRecord(cell);
    if (record && record.kind !== "text")
      records[categoryName(category) ?? bytesToHex(category).toUpperCase()] = record;
  }
  return { name: (await ifSuch(readName(methods, item))) ?? "", records };
}

/** `slice get_domain()` is the name within its collection; all known collections are below `.ton`. */
async function readName(methods: GetMethods, item: Address): Promise<string> {
  const name = (await Answer.of(methods, item, "get_domain")).slice(0);
  return `${new TextDecoder().decode(name.parse().loadBytes(name.bits >> 3))}.ton`;
}
