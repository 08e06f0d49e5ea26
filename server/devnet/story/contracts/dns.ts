import { beginCell } from "../../../../shared/ton/cells/builder.js";
import type { Cell } from "../../../../shared/ton/cells/cell.js";
import { categoryKey } from "../../../../shared/ton/contracts/dns-record.js";
import { type StateInit, stateInitOf } from "../../../../shared/ton/tlb/state-init.js";
import type { Address } from "../../../../shared/values/address.js";
import { contractCode } from "../../contracts/codes.js";
import { contractAddress } from "../../wallets/compose.js";
import { offchainContent } from "./token-content.js";

/** The zone `ton` (dns-collection.tolk): names are items of this collection. */
export class DnsZone {
  readonly init: StateInit;
  readonly address: Address;

  constructor(admin: Address) {
    // admin:MsgAddress content:^Cell itemCode:^Cell
    const data = beginCell()
      .storeAddress(admin)
      .storeRef(offchainContent("https://dns.example/ton.json"))
      .storeRef(contractCode("dns-item"));
    this.init = stateInitOf(contractCode("dns-collection"), data.endCell());
    this.address = contractAddress(this.init);
  }

  /** The item of a name, given without its zone. */
  item(name: string): Address {
    // index:uint256 collection:MsgAddress
    const data = beginCell().storeBytes(nameCell(name).hash()).storeAddress(this.address);
    return contractAddress(stateInitOf(contractCode("dns-item"), data.endCell()));
  }
}

/** The root of DNS (dns-root.tolk), a contract of the masterchain. */
export class DnsRoot {
  readonly init: StateInit;
  readonly address: Address;

  constructor(zone: DnsZone) {
    const data = beginCell().storeAddress(zone.address);
    this.init = stateInitOf(contractCode("dns-root"), data.endCell());
    this.address = contractAddress(this.init, -1);
  }
}

function nameCell(name: string): Cell {
  return beginCell().storeBytes(new TextEncoder().encode(name)).endCell();
}

/** Body of a message from the zone's administrator. */
export function giveNameBody(name: string, owner: Address, queryId: number): Cell {
  // give_name#67697665 query_id:uint64 owner:MsgAddress name:^Cell
  return beginCell()
    .storeUint(0x67697665, 32)
    .storeUint(queryId, 64)
    .storeAddress(owner)
    .storeRef(nameCell(name))
    .endCell();
}

/** Body of a message from the owner of a name. Without a record, the category is deleted. */
export function changeRecordBody(category: string, record: Cell | undefined, queryId: number): Cell {
  // change_dns_record#4eb1f0f9 query_id:uint64 key:bits256 value:^DNSRecord
  const body = beginCell().storeUint(0x4eb1f0f9, 32).storeUint(queryId, 64).storeBytes(categoryKey(category));
  return (record ? body.storeRef(record) : body).endCell();
}

/** Records of TEP-81. */
export const dnsRecord = {
  /** `dns_smc_address#9fd3 smc_addr:MsgAddressInt flags:(## 8)` */
  wallet: (address: Address) =>
    beginCell().storeUint(0x9fd3, 16).storeAddress(address).storeUint(0, 8).endCell(),
  /** `dns_adnl_address#ad01 adnl_addr:bits256 flags:(## 8)` */
  site: (adnl: Uint8Array) => beginCell().storeUint(0xad01, 16).storeBytes(adnl).storeUint(0, 8).endCell(),
  /** `dns_storage_address#7473 bag_id:bits256` */
  storage: (bag: Uint8Array) => beginCell().storeUint(0x7473, 16).storeBytes(bag).endCell(),
  /** `dns_next_resolver#ba93 resolver:MsgAddressInt` */
  nextResolver: (address: Address) => beginCell().storeUint(0xba93, 16).storeAddress(address).endCell(),
} as const;
