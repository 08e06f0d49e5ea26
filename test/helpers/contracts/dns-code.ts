import { type Builder, beginCell } from "../../../shared/ton/cells/builder.js";
import { Cell } from "../../../shared/ton/cells/cell.js";
import { bytesKey, cellRef, Dictionary } from "../../../shared/ton/cells/dictionaries/dictionary.js";
import { categoryKey } from "../../../shared/ton/contracts/dns-record.js";
import type { Address } from "../../../shared/values/address.js";
import { tolkAddress } from "./sale-code.js";

// Contracts in Tolk with the get-methods of domains and of their collections. The answers of an item lie in its data.

/** A collection whose item `n` is the account whose id is the byte `n` repeated. */
export const domainCollection = `
  get fun get_collection_data(): (int, cell, slice) {
    return (-1, content(), beginCell().storeUint(0, 2).toSlice());
  }
  get fun get_nft_address_by_index(index: int): slice {
    val id = index * 0x${"01".repeat(32)};
    return beginCell().storeUint(4, 3).storeInt(0, 8).storeUint(id, 256).toSlice();
  }
  get fun get_nft_content(index: int, individual: cell): cell { return individual; }
  fun content(): cell { return beginCell().storeUint(0x0161, 16).endCell(); }
`;

/** The methods of an item, each as its type and its body; those of a domain may be replaced. */
export type DomainMethods = { [Name in keyof typeof domainMethods]?: string };

const domainMethods = {
  get_domain: "(): slice { var name = part(3); name.skipBits(64); return name; }",
  get_full_domain: "(): slice { var name = part(3); name.skipBits(64); return name; }",
  dnsresolve: `(name: slice, category: int): (int, cell?) {
    var records = part(1);
    assert (name.preloadUint(8) == 0 && name.remainingBitsCount() == 8 && category == 0) throw 70;
    return (8, records.remainingRefsCount() == 0 ? null : records.loadRef()); }`,
  get_auction_info: `(): (slice, int, int) {
    var auction = part(2);
    val bid = auction.loadUint(128);
    val end = auction.loadUint(64);
    return (auction.loadRef().beginParse(), bid, end); }`,
  get_last_fill_up_time: "(): int { return part(3).loadUint(64); }",
};

/** An item of a collection; `index` is the byte of its address. */
export function domainItem(index: number, collection: Address, replaced: DomainMethods = {}): string {
  const methods = { ...domainMethods, ...replaced };
  return `
    fun part(place: int): slice {
      var data = contract.getData().beginParse();
      repeat (place) { data.loadRef(); }
      return data.loadRef().beginParse();
    }
    get fun get_nft_data(): (int, int, address, slice, cell) {
      return (-1, ${index}, ${tolkAddress(collection)}, part(0), beginCell().storeUint(0x0161, 16).endCell());
    }
    ${Object.entries(methods)
      .map(([name, rest]) => `get fun ${name}${rest}`)
      .join("\n")}
  `;
}

export type DomainData = {
  /** The bytes that the item returns for its name. */
  name: string | Uint8Array;
  owner?: Address;
  /** By category; without it, the item has no records. */
  records?: Readonly<Record<string, Cell>>;
  auction?: { bidder: Address; bid: bigint; endTime: bigint };
  lastFillUp?: bigint;
};

/** The data of an item. */
export function domainData({ name, owner, records, auction, lastFillUp = 0n }: DomainData): Cell {
  const recordsPart = beginCell();
  if (records) recordsPart.storeRef(recordSet(records));
  return beginCell()
    .storeRef(addressCell(owner))
    .storeRef(recordsPart.endCell())
    .storeRef(
      beginCell()
        .storeUint(auction?.bid ?? 0n, 128)
        .storeUint(auction?.endTime ?? 0n, 64)
        .storeRef(addressCell(auction?.bidder))
        .endCell(),
    )
    .storeRef(beginCell().storeUint(lastFillUp, 64).storeBytes(Buffer.from(name)).endCell())
    .endCell();
}

function addressCell(address: Address | undefined): Cell {
  return (address ? beginCell().storeAddress(address) : beginCell().storeUint(0, 2)).endCell();
}

function recordSet(records: Readonly<Record<string, Cell>>): Cell {
  const entries = Object.entries(records).map(([category, cell]) => [categoryKey(category), cell] as const);
  return Dictionary.empty(bytesKey(32), cellRef).update(entries).root ?? Cell.empty;
}

const record = (tag: number): Builder => beginCell().storeUint(tag, 16);

/** Records of each kind. */
export const dnsRecords = {
  wallet: (address: Address) => record(0x9fd3).storeAddress(address).storeUint(0, 8).endCell(),
  nextResolver: (address: Address) => record(0xba93).storeAddress(address).endCell(),
  adnl: (id: Uint8Array) => record(0xad01).storeBytes(id).storeUint(0, 8).endCell(),
  storage: (id: Uint8Array) => record(0x7473).storeBytes(id).endCell(),
};
