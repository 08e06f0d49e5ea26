import type { Address } from "../../values/address.js";
import { bytesToHex } from "../../values/bytes.js";
import { utf8Text } from "../../values/utf8.js";
import { beginCell } from "../cells/builder.js";
import type { Cell } from "../cells/cell.js";
import { categoryName, type DnsReference, readDnsRecord, recordIn, recordsOf } from "./dns-record.js";
import { Answer, type GetMethods, ifSuch, UnexpectedAnswer } from "./get-method.js";
import { type NftItem, readNftItem } from "./nft.js";

/** A zone whose domains are the items of one collection. */
export type DnsZone = "ton" | "t.me";

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

/** The domain of an item, with its records of all categories. */
export async function readItemDomain(methods: GetMethods, item: Address): Promise<ItemDomain> {
  const answer = await resolveItself(methods, item);
  const records: Record<string, DnsReference> = {};
  for (const [category, cell] of recordsOf(answer.cell(1))) {
    const record = readDnsRecord(cell);
    if (record && record.kind !== "text")
      records[categoryName(category) ?? bytesToHex(category).toUpperCase()] = record;
  }
  // The collection is not checked here; most are below `.ton`.
  return { name: (await ifSuch(readDomainName(methods, item, "ton"))) ?? "", records };
}

/** Makes an item resolve its own name, which is encoded as one zero byte. The records are the second value. */
async function resolveItself(methods: GetMethods, item: Address): Promise<Answer> {
  const self = { type: "slice", cell: beginCell().storeUint(0, 8).endCell() } as const;
  const answer = await Answer.of(methods, item, "dnsresolve", [self, { type: "int", value: 0n }]);
  if (answer.size !== 2) throw new UnexpectedAnswer("dnsresolve does not return two values");
  return answer;
}

/** The standard records of a domain, each in its own category. */
type DomainRecords = {
  wallet: Address | undefined;
  nextResolver: Address | undefined;
  /** Address in ADNL. */
  site: Uint8Array | undefined;
  /** Id of a bag in TON Storage. */
  storage: Uint8Array | undefined;
};

/** Reads them, leaving out malformed ones. Throws UnexpectedAnswer if the item does not resolve its own name. */
export async function readDomainRecords(methods: GetMethods, item: Address): Promise<DomainRecords> {
  const answer = await resolveItself(methods, item);
  if (answer.int(0) !== 8n) throw new UnexpectedAnswer("the item does not resolve its own name");
  const root = answer.isNull(1) ? undefined : answer.cell(1);
  return {
    wallet: root && addressIn(root, "wallet", "smcAddress"),
    nextResolver: root && addressIn(root, "dns_next_resolver", "nextResolver"),
    site: root && idIn(root, "site", "adnlAddress"),
    storage: root && idIn(root, "storage", "storageAddress"),
  };
}

function addressIn(root: Cell, category: string, kind: "smcAddress" | "nextResolver"): Address | undefined {
  const record = recordIn(root, category);
  return record?.kind === kind ? record.address : undefined;
}

function idIn(root: Cell, category: string, kind: "adnlAddress" | "storageAddress"): Uint8Array | undefined {
  const record = recordIn(root, category);
  return record?.kind === kind ? record.id : undefined;
}

/** The full name of an item of a zone. Throws UnexpectedAnswer or a CellError if the item names none. */
export async function readDomainName(methods: GetMethods, item: Address, zone: DnsZone): Promise<string> {
  const labels = (await readBytesAsText(methods, item, nameMethods[zone])).split("\0");
  if (zone === "t.me") return withoutEmptyEnds(labels).reverse().join(".");
  if (labels.length > 1) throw new UnexpectedAnswer("the domain has several labels");
  return `${labels[0]}.ton`;
}

/** `slice get_domain()` is the name below `ton`; `slice get_full_domain()` the whole name, encoded as for resolvers. */
const nameMethods: Record<DnsZone, string> = { ton: "get_domain", "t.me": "get_full_domain" };

async function readBytesAsText(methods: GetMethods, item: Address, method: string): Promise<string> {
  const slice = (await Answer.of(methods, item, method)).slice(0);
  const text = slice.bits % 8 === 0 ? utf8Text(slice.parse().loadBytes(slice.bits / 8)) : undefined;
  if (text === undefined) throw new UnexpectedAnswer(`${method} does not return a text`);
  return text;
}

function withoutEmptyEnds(labels: readonly string[]): string[] {
  return labels.slice(labels[0] === "" ? 1 : 0, labels.at(-1) === "" ? -1 : undefined);
}

/** The auction of a domain: the highest bid, and when it ends. Nanotons, unix seconds. */
type DomainAuction = { bidder: Address; bid: bigint; endTime: bigint };

/** `(slice, int, int) get_auction_info()`; `undefined` without an auction. */
export async function readDomainAuction(
  methods: GetMethods,
  item: Address,
): Promise<DomainAuction | undefined> {
  const info = await Answer.of(methods, item, "get_auction_info");
  const bidder = info.maybeAddress(0);
  const [bid, endTime] = [info.int(1), timeAt(info, 2)];
  return bidder && { bidder, bid, endTime };
}

/** `int get_last_fill_up_time()`: when the domain was paid for last. */
export async function readLastFillUpTime(methods: GetMethods, item: Address): Promise<bigint> {
  return timeAt(await Answer.of(methods, item, "get_last_fill_up_time"), 0);
}

const latestTime = 1n << 40n;

function timeAt(answer: Answer, index: number): bigint {
  const time = answer.int(index);
  if (time < 0n || time > latestTime)
    throw new UnexpectedAnswer(`value ${index} of the result is not a time`);
  return time;
}
