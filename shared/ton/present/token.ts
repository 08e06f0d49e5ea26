import type { DomainRecord, TokenContentRecord, TokenData } from "../../schema/v2/tokens.js";
import type { Address } from "../../values/address.js";
import { bytesToHex } from "../../values/bytes.js";
import type { DnsReference } from "../contracts/dns-record.js";
import type { JettonMaster, JettonWallet } from "../contracts/jetton.js";
import type { NftCollection, NftItem } from "../contracts/nft.js";
import type { ItemDomain } from "../contracts/nft-domain.js";
import type { TokenContent } from "../contracts/token-content.js";
import { presentBoc } from "./records.js";

// `address` has the caller's form.

export function presentJettonMaster(address: string, master: JettonMaster): TokenData {
  return {
    "@type": "ext.tokens.jettonMasterData",
    address,
    contract_type: "jetton_master",
    total_supply: master.totalSupply.toString(),
    mintable: master.mintable,
    ...(master.admin && { admin_address: master.admin.toFriendly() }),
    jetton_content: presentContent(master.content),
    jetton_wallet_code: presentBoc(master.walletCode),
  };
}

export function presentJettonWallet(address: string, wallet: JettonWallet): TokenData {
  return {
    "@type": "ext.tokens.jettonWalletData",
    address,
    contract_type: "jetton_wallet",
    balance: wallet.balance.toString(),
    owner: wallet.owner.toFriendly(),
    jetton: wallet.master.toFriendly(),
    ...(wallet.claimed !== undefined && { mintless_is_claimed: wallet.claimed }),
    jetton_wallet_code: presentBoc(wallet.walletCode),
  };
}

export function presentNftCollection(address: string, collection: NftCollection): TokenData {
  return {
    "@type": "ext.tokens.nftCollectionData",
    address,
    contract_type: "nft_collection",
    next_item_index: collection.nextItemIndex.toString(),
    ...presentOwner(collection.owner),
    collection_content: presentContent(collection.content),
  };
}

export function presentNftItem(
  address: string,
  item: NftItem & { domain: ItemDomain | undefined },
): TokenData {
  return {
    "@type": "ext.tokens.nftItemData",
    address,
    contract_type: "nft_item",
    init: item.initialized,
    index: item.index.toString(),
    ...(item.collection && { collection_address: item.collection.toFriendly() }),
    ...presentOwner(item.owner),
    content: item.domain ? presentDomain(item.domain) : presentContent(item.content),
  };
}

function presentOwner(owner: Address | undefined): { owner_address?: string } {
  return owner ? { owner_address: owner.toFriendly() } : {};
}

function presentContent(content: TokenContent): TokenContentRecord {
  return content.kind === "offchain"
    ? { type: "offchain", data: content.uri }
    : { type: "onchain", data: content.attributes };
}

function presentDomain({ name, records }: ItemDomain) {
  const data = Object.entries(records).map(([category, record]) => [category, presentRecord(record)]);
  return { domain: name, data: Object.fromEntries(data) as Record<string, DomainRecord> };
}

function presentRecord(record: DnsReference): DomainRecord {
  switch (record.kind) {
    case "smcAddress":
      return { "@type": "dns_smc_address", smc_addr: standardAddress(record.address) };
    case "nextResolver":
      return { "@type": "dns_next_resolver", resolver: standardAddress(record.address) };
    case "adnlAddress":
      return { "@type": "dns_adnl_address", adnl_addr: bytesToHex(record.id) };
    case "storageAddress":
      return { "@type": "dns_storage_address", bag_id: bytesToHex(record.id) };
  }
}

function standardAddress({ workchain, hash }: Address) {
  return {
    "@type": "addr_std" as const,
    type: "addr_std" as const,
    workchain_id: workchain,
    address: bytesToHex(hash),
  };
}
